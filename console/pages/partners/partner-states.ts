export const states = ['enabled', 'disabled'] as const;
