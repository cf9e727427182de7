import { ticksOfFamily } from '../others.ts';
import type { ShopProcesses } from './shop.ts';

const ticksPerSecond = 100;

/** In milliseconds. NaN where there is no /proc. */
export interface CpuTime {
  serviceMs: number;
  databaseMs: number;
}

/** The time that all processes of a shop have used so far. Those of its PostgreSQL may be children of the service. */
export function cpuTimeOf({ service, postmaster }: ShopProcesses): CpuTime {
  try {
    return {
      serviceMs: milliseconds(ticksOfFamily(service, postmaster)),
      databaseMs: milliseconds(ticksOfFamily(postmaster)),
    };
  } catch {
    return { serviceMs: Number.NaN, databaseMs: Number.NaN };
  }
}

function milliseconds(ticks: number): number {
  return (1000 * ticks) / ticksPerSecond;
}

export function perOrder(before: CpuTime, after: CpuTime, orders: number): CpuTime {
  return {
    serviceMs: (after.serviceMs - before.serviceMs) / orders,
    databaseMs: (after.databaseMs - before.databaseMs) / orders,
  };
}
