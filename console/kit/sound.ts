import { readStored, writeStored } from './stored.ts';

/** A short high tone for success; two low ones for a rejection, which are also heard beside a conveyor. */
const tones = {
  done: [{ hertz: 1320, fromSeconds: 0, seconds: 0.08 }],
  failed: [
    { hertz: 220, fromSeconds: 0, seconds: 0.18 },
    { hertz: 165, fromSeconds: 0.22, seconds: 0.28 },
  ],
} as const;

export type Sound = keyof typeof tones;

export function isSoundOn(): boolean {
  return readStored('sound') !== 'off';
}

export function switchSound(isOn: boolean): void {
  writeStored('sound', isOn ? 'on' : 'off');
}

let audio: AudioContext | null = null;

/** Browsers allow sound only after the first key or tap, so the output opens with the first result. */
export function playSound(sound: Sound): void {
  if (!isSoundOn() || !('AudioContext' in globalThis)) return;
  audio ??= new AudioContext();
  void audio.resume().catch(() => undefined);
  for (const { hertz, fromSeconds, seconds } of tones[sound]) {
    const startsAt = audio.currentTime + fromSeconds;
    const oscillator = audio.createOscillator();
    const volume = audio.createGain();
    oscillator.type = 'square';
    oscillator.frequency.value = hertz;
    volume.gain.setValueAtTime(0.15, startsAt);
    volume.gain.exponentialRampToValueAtTime(0.001, startsAt + seconds);
    oscillator.connect(volume).connect(audio.destination);
    oscillator.start(startsAt);
    oscillator.stop(startsAt + seconds);
  }
}
