/** SHA-1 of a binary string, as 40 hexadecimal digits. Source: RFC 3174. */
export function sha1(text: string): string {
  const words = paddedWords(text);
  const state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
  for (let at = 0; at < words.length; at += 16) digestBlock(state, words.slice(at, at + 16));
  return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

function paddedWords(text: string): number[] {
  const words = new Array<number>((((text.length + 8) >> 6) + 1) * 16).fill(0);
  const put = (at: number, byte: number): void => {
    words[at >> 2]! |= byte << (24 - (at & 3) * 8);
  };
  for (let at = 0; at < text.length; at++) put(at, text.charCodeAt(at) & 0xff);
  put(text.length, 0x80);
  words[words.length - 2] = Math.floor((text.length * 8) / 2 ** 32);
  words[words.length - 1] = (text.length * 8) | 0;
  return words;
}

function rotated(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}

function digestBlock(state: number[], words: number[]): void {
  for (let at = 16; at < 80; at++)
    words[at] = rotated(words[at - 3]! ^ words[at - 8]! ^ words[at - 14]! ^ words[at - 16]!, 1);
  let [a, b, c, d, e] = state as [number, number, number, number, number];
  for (let at = 0; at < 80; at++) {
    const [mixed, constant] = round(at, b, c, d);
    const next = (rotated(a, 5) + mixed + e + constant + words[at]!) | 0;
    [a, b, c, d, e] = [next, a, rotated(b, 30), c, d];
  }
  for (const [at, word] of [a, b, c, d, e].entries()) state[at] = (state[at]! + word) | 0;
}

function round(at: number, b: number, c: number, d: number): readonly [number, number] {
  if (at < 20) return [(b & c) | (~b & d), 0x5a827999];
  if (at < 40) return [b ^ c ^ d, 0x6ed9eba1];
  return at < 60 ? [(b & c) | (b & d) | (c & d), 0x8f1bbcdc] : [b ^ c ^ d, 0xca62c1d6];
}
