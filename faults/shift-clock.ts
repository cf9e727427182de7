/**
 * Loaded into a node with `--import 'shift-clock.ts?seconds=301'`. Shifts its clock like a wrong system clock. Monotonic
 * time, which timers and deadlines use, is unchanged.
 */
const shiftMs = Number(new URL(import.meta.url).searchParams.get('seconds')) * 1000;
const RightDate = globalThis.Date;
const now = () => RightDate.now() + shiftMs;

globalThis.Date = new Proxy(RightDate, {
  apply: () => new RightDate(now()).toString(),
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
