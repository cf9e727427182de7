/** The document that a body names, and by which of its fields; the schema has seen to it that it is one of them. */
export function inboundNamed({ inbound_short_id, form_no }: { inbound_short_id?: string; form_no?: string }) {
  return form_no === undefined
    ? ({ field: 'inbound_short_id', number: inbound_short_id!, isLogistics: false } as const)
    : ({ field: 'form_no', number: form_no, isLogistics: true } as const);
}
