import { Type } from 'typebox';
import { WithMeaning } from '../values.ts';

/** A time in our format: `2026-11-15T09:30:00.123456+08:00`. */
export const Time = (meaning: string) => WithMeaning(Type.String({ format: 'date-time' }), meaning);
