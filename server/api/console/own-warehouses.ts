import { rejection } from '../../../messages/rejection-texts.ts';
import type { OperatorSession } from '../../domain/operators/operator.ts';
import { ProblemError } from '../../http/problem.ts';
import type { Condition } from '../../platform/postgres/keyset-search.ts';

/** A caller with a session. The contract imports this file, so the type of a caller cannot come from there. */
interface Caller {
  session: OperatorSession;
}

/** Refuses a call about all warehouses to an operator who is restricted to some. */
export function refuseRestricted({ username, warehouseNos }: OperatorSession): void {
  if (warehouseNos !== null)
    throw new ProblemError({ kind: 'not_allowed', message: rejection('all_warehouses_needed', { username }) });
}

/** Refuses documents and stock of other warehouses than the operator's. */
export function refuseOtherWarehouses({ session }: Caller, warehouseNos: Iterable<number>): void {
  for (const warehouse of warehouseNos) {
    if (!isOwn({ session }, warehouse))
      throw new ProblemError({
        kind: 'not_allowed',
        message: rejection('other_warehouse', { username: session.username, warehouse }),
      });
  }
}

export function isOwn({ session: { warehouseNos } }: Caller, warehouseNo: number): boolean {
  return warehouseNos === null || warehouseNos.includes(warehouseNo);
}

/** Those of the warehouses asked for that are the operator's; null: all. */
export function ownOf({ session: { warehouseNos } }: Caller, asked: number[] | null = null): number[] | null {
  if (warehouseNos === null) return asked;
  return asked === null ? warehouseNos : asked.filter((warehouseNo) => warehouseNos.includes(warehouseNo));
}

/** A request for a list, limited to the operator's warehouses. */
export function inOwnWarehouses<Body extends { warehouse_no?: number[] }>(caller: Caller, body: Body): Body {
  const own = ownOf(caller, body.warehouse_no ?? null);
  return own === null ? body : { ...body, warehouse_no: own };
}

/** The same as a filter of a list. */
export function ownFilter(caller: Caller, asked?: number[]): { warehouse_no?: Condition } {
  const own = ownOf(caller, asked ?? null);
  return own === null ? {} : { warehouse_no: { anyOf: own } };
}
