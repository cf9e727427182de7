const attendedForMs = 60_000;
let touchedAtMs = Date.now();

const touch = () => {
  touchedAtMs = Date.now();
};
for (const event of ['pointerdown', 'pointermove', 'keydown', 'scroll']) {
  globalThis.addEventListener?.(event, touch, { passive: true, capture: true });
}

/** Whether somebody is at the page: what it asks by itself must not keep a session open that was left alone. */
export function isAttended(): boolean {
  return Date.now() - touchedAtMs < attendedForMs;
}
