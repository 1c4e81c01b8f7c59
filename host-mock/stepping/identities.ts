import { fromLatin1, latin1 } from "../state/bytes.ts";

/**
 * The random bytes of stepped guests, and how names of guests are found again in what they write.
 *
 * Draws of up to 8 bytes (a phase, a jitter) are zeros, so that all guests tick at the same instants: the worst case.
 * Longer ones are identities. The guest number n draws bytes whose hexadecimal digits are n's (from 1), in the
 * form of a random UUID, so that `22222222-2222-4d22-9d22-222222220000` is seen to be the second guest's.
 *
 *     byte   0 … 5   6    7    8    9 … 13   14 15
 *            nn      4d   nn   9d   nn       draw number
 */
export const guestCountMax = 9;
const phaseBytesMax = 8;
const identityBytes = 16;

/** Fills the draw number `draw` of a guest; guests count from 0. False for a length whose names cannot be told. */
export function fillRandom(into: Uint8Array, guest: number, draw: number): boolean {
  if (into.length <= phaseBytesMax) {
    into.fill(0);
    return true;
  }
  into.fill((guest + 1) * 0x11);
  into[into.length - 2] = draw >>> 8;
  into[into.length - 1] = draw & 0xff;
  if (into.length > 8) {
    into[6] = 0x4d;
    into[8] = 0x9d;
  }
  return into.length === identityBytes;
}

const uuidForm = /([1-9])\1{7}-\1{4}-4d\1{2}-9d\1{2}-\1{8}([0-9a-f]{4})/g;
const hexForm = /([1-9])\1{11}4d\1{2}9d\1{10}([0-9a-f]{4})/g;
const rawForms = Array.from({ length: guestCountMax }, (_, guest) => {
  const bytes = new Uint8Array(identityBytes);
  fillRandom(bytes, guest, 0);
  return latin1(bytes).slice(0, identityBytes - 2);
});

/** The text with each guest's names replaced; `newGuest[guest]` is whose they become. */
export function renamed(text: string, newGuest: readonly number[]): string {
  return replaced(text, (digit) => String((newGuest[digit - 1] ?? digit - 1) + 1));
}

/** The text with names in the order of their first appearance: `self`, then others as they come. */
export function anonymous(text: string, order: number[]): string {
  return replaced(text, (digit) => {
    const guest = digit - 1;
    let place = order.indexOf(guest);
    if (place < 0) place = order.push(guest) - 1;
    return String.fromCharCode(0x61 + place);
  });
}

/** All at once: one guest's new form is another's old one. */
const rawForm = new RegExp(
  rawForms.map((form) => form.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|"),
  "g",
);

function replaced(text: string, substitute: (digit: number) => string): string {
  let made = text.replace(uuidForm, (_found, digit: string, draw: string) => {
    const d = substitute(Number(digit));
    return `${d.repeat(8)}-${d.repeat(4)}-4d${d.repeat(2)}-9d${d.repeat(2)}-${d.repeat(8)}${draw}`;
  });
  made = made.replace(hexForm, (_found, digit: string, draw: string) => {
    const d = substitute(Number(digit));
    return `${d.repeat(12)}4d${d.repeat(2)}9d${d.repeat(10)}${draw}`;
  });
  return made.replace(rawForm, (form) => {
    const guest = rawForms.indexOf(form);
    const byte = (substitute(guest + 1).charCodeAt(0) & 0xf) * 0x11;
    return latin1(fromLatin1(form).map((own, at) => (at === 6 || at === 8 ? own : byte)));
  });
}
