/** The document number in the body and the field that contains it; the schema ensures that there is exactly one. */
export function inboundNamed({
  inbound_short_id,
  form_no,
}: {
  inbound_short_id?: string | null;
  form_no?: string | null;
}) {
  return form_no
    ? ({ field: 'form_no', number: form_no, isLogistics: true } as const)
    : ({ field: 'inbound_short_id', number: inbound_short_id!, isLogistics: false } as const);
}
