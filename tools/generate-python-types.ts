import { type TObject, type TProperties, Type } from 'typebox';
import { callbackSchemas } from '../contract/logistics/callback.ts';
import { clientTypes } from '../reference/client-types.ts';
import { makePythonTypes } from '../reference/python.ts';
import { replaceBetweenMarks } from './generate-between-marks.ts';

/** Generates the types in the Python client from those of the SDK. */
export function generatePythonTypes(text: string): string {
  return replaceBetweenMarks(text, 'types', `\n\n${makePythonTypes(pythonTypes())}\n`, ['# ', '']);
}

/** The client removes `success` from results, and adds `duplicate` to inbound documents and callbacks. */
function pythonTypes(): typeof clientTypes {
  const {
    Warning,
    ProductSyncData,
    OutboundCreateData,
    InboundData,
    TokenRetval: _,
    CallbackBody: __,
    ...others
  } = clientTypes;
  const callbacks = Object.fromEntries(
    Object.entries(callbackSchemas).map(([name, schema]) => [name, changed(schema as TObject, [], duplicate)]),
  );
  return {
    // Python has a class named Warning.
    WarningItem: Warning!,
    ...others,
    ProductSynced: changed(ProductSyncData as TObject, ['success']),
    OutboundCreated: changed(OutboundCreateData as TObject, ['success']),
    InboundCreated: changed(InboundData as TObject, ['success', 'errors'], duplicate),
    ...callbacks,
    CallbackBody: Type.Union(Object.values(callbacks)),
  };
}

const duplicate: TProperties = { duplicate: Type.Boolean() };

function changed({ properties }: TObject, without: string[], more: TProperties = {}): TObject {
  const kept = Object.entries(properties).filter(([name]) => !without.includes(name));
  return Type.Object({ ...Object.fromEntries(kept), ...more });
}
