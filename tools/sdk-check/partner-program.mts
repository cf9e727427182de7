import { LadingError, verifyCallbackAsync, WarehouseClient } from '@lading/client';
import { FakeService, signCallback } from '@lading/client/testing';

/** `npm run check:sdk` compiles this program, with the package installed beside it and the oldest supported TypeScript. */
const service = new FakeService().answer('/outbound/create', { orders_id: 'ow_1', idempotent: false });
const warehouse = new WarehouseClient({
  url: 'https://lading.test',
  accountNo: 'DEMO',
  secret: 's',
  fetch: service.fetch,
});

export async function isTooLate(numbers: string[]): Promise<boolean> {
  try {
    const { data, responses } = await warehouse.outboundCancel(numbers).withResponses();
    return data.some(({ status }) => status === 'cannot_cancel_after_picking') && responses.length > 0;
  } catch (error) {
    return error instanceof LadingError && error.errors.some(({ code }) => code === 'too_late');
  }
}

export async function shipmentNumber(secret: string, callback: Parameters<typeof signCallback>[0]): Promise<string> {
  const verified = await verifyCallbackAsync(await signCallback(callback, { secret }), { secrets: secret });
  return verified.event === 'order.shipped' ? verified.shipment_no : '';
}
