// One ASCII line at a time, built in static memory.

const LINE = memory.data(1024);
const LONGEST_NUMBER = 20;

let end: usize = LINE;

export function begin(text: string): void {
  end = LINE;
  put(text);
}

export function put(text: string): void {
  for (let i = 0; i < text.length; i++) store<u8>(end++, <u8>text.charCodeAt(i));
}

export function putBytes(ptr: usize, size: i32): void {
  memory.copy(end, ptr, size);
  end += size;
}

/** In decimal; not negative. */
export function putNumber(value: i64): void {
  let digits = 1;
  for (let rest = value / 10; rest != 0 && digits < LONGEST_NUMBER; rest /= 10) digits++;
  for (let at = end + digits; at > end; value /= 10) store<u8>(--at, 0x30 + <u8>(value % 10));
  end += digits;
}

/** Four bytes, little-endian. */
export function putWord(value: u32): void {
  store<u32>(end, value);
  end += 4;
}

export function linePtr(): usize {
  return LINE;
}

export function lineSize(): i32 {
  return <i32>(end - LINE);
}

/** Whether these bytes are that ASCII text. */
export function isText(ptr: usize, size: i32, text: string): bool {
  if (size != text.length) return false;
  for (let i = 0; i < size; i++) if (load<u8>(ptr + i) != <u8>text.charCodeAt(i)) return false;
  return true;
}
