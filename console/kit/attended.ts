const attendedForMs = 60_000;
let touchedAtMs = Date.now();

const touch = () => {
  touchedAtMs = Date.now();
};
for (const event of ['pointerdown', 'pointermove', 'keydown', 'scroll']) {
  globalThis.addEventListener?.(event, touch, { passive: true, capture: true });
}

/** Whether the operator is active: automatic requests must not extend an unattended session. */
export function isAttended(): boolean {
  return Date.now() - touchedAtMs < attendedForMs;
}
