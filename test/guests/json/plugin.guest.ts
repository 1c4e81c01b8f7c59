// The json room as exported functions. Texts and answers cross as byte arrays.
import { Json, JsonValid, JsonWriter, ParseJson } from "proxy-wasm-as/assembly/json/index";
import * as utf8 from "proxy-wasm-as/assembly/memory/utf8";

export const BYTES_ID = idof<Uint8Array>();

export function valid(text: Uint8Array): bool {
  return JsonValid(text);
}

export function error(text: Uint8Array): string {
  return ParseJson(text).Error();
}

export function kindOf(text: Uint8Array, path: string): i32 {
  return at(text, path).Kind();
}

export function text(text: Uint8Array, path: string): string {
  return at(text, path).String();
}

export function raw(text: Uint8Array, path: string): string {
  return at(text, path).Raw();
}

export function rawSize(text: Uint8Array, path: string): i32 {
  return at(text, path).RawBytes().byteLength;
}

export function int(text: Uint8Array, path: string): i64 {
  return at(text, path).Int();
}

export function uint(text: Uint8Array, path: string): u64 {
  return at(text, path).Uint();
}

export function float(text: Uint8Array, path: string): f64 {
  return at(text, path).Float();
}

export function bool_(text: Uint8Array, path: string): bool {
  return at(text, path).Bool();
}

export function arraySize(text: Uint8Array, path: string): i32 {
  return at(text, path).Array().length;
}

function at(text: Uint8Array, path: string): Json {
  const json = ParseJson(text);
  return path == "" ? json : json.Get(path);
}

export function getOnly(text: Uint8Array, path: string): string {
  return ParseJson(text).Get(path).Raw();
}

class Seen {
  text: string = "";
  left: i32 = 0;
}

/** key=value of each entry, separated by "|"; stops after `limit` entries. */
export function forEach(text: Uint8Array, limit: i32): string {
  const seen = new Seen();
  seen.left = limit;
  ParseJson(text).ForEach(seen, (seen, key, value) => {
    seen.text += key.String() + "=" + value.Raw() + "|";
    return --seen.left > 0;
  });
  return seen.text;
}

/** Writes a value anew through the reader and the writer, without recursion of the room's own. */
export function rewrite(text: Uint8Array): Uint8Array {
  const writer = new JsonWriter();
  copy(ParseJson(text), writer);
  return writer.Bytes();
}

class Copying {
  constructor(
    public writer: JsonWriter,
    public named: bool,
  ) {}
}

function copy(json: Json, writer: JsonWriter): void {
  if (json.IsObject() || json.IsArray()) {
    if (json.IsObject()) writer.BeginObject();
    else writer.BeginArray();
    json.ForEach(new Copying(writer, json.IsObject()), (to, key, value) => {
      if (to.named) to.writer.Field(key.String());
      copy(value, to.writer);
      return true;
    });
    if (json.IsObject()) writer.EndObject();
    else writer.EndArray();
  } else if (json.IsNull()) writer.Null();
  else if (json.Kind() == 2) writer.Bool(json.Bool());
  else if (json.Kind() == 3) writer.Float(json.Float());
  else writer.String(json.String());
}

/** Asks every question of every value there is; answers how many values that were. */
export function visit(text: Uint8Array): i32 {
  return visitValue(ParseJson(text), 0);
}

function visitValue(json: Json, depth: i32): i32 {
  json.Get("a.0.#");
  json.Get("b");
  json.Error();
  json.String();
  json.Int();
  json.Uint();
  json.Float();
  json.Bool();
  let count = 1;
  const elements = json.Array();
  if (json.IsArray() && depth < 40) {
    for (let i = 0; i < elements.length; i++) count += visitValue(elements[i], depth + 1);
  }
  const counter = new Counter(depth);
  if (json.IsObject() && depth < 40) {
    json.ForEach(counter, (counter, key, value) => {
      key.String();
      counter.count += visitValue(value, counter.depth + 1);
      return true;
    });
  }
  return count + counter.count;
}

class Counter {
  count: i32 = 0;
  constructor(public depth: i32) {}
}

/** Parses, changes the bytes behind the value's back, and then asks. */
export function visitChanged(text: Uint8Array, changed: Uint8Array): i32 {
  const json = ParseJson(text);
  memory.copy(text.dataStart, changed.dataStart, min(text.byteLength, changed.byteLength));
  return visitValue(json, 0);
}

export function writeString(text: string): Uint8Array {
  return new JsonWriter().String(text).Bytes();
}

export function writeField(name: string, value: string): Uint8Array {
  return new JsonWriter().BeginObject().Field(name).String(value).EndObject().Bytes();
}

export function writeInt(value: i64): Uint8Array {
  return new JsonWriter().Int(value).Bytes();
}

export function writeUint(value: u64): Uint8Array {
  return new JsonWriter().Uint(value).Bytes();
}

export function writeFloat(value: f64): Uint8Array {
  return new JsonWriter().Float(value).Bytes();
}

export function writeRaw(text: Uint8Array): Uint8Array {
  return new JsonWriter().BeginArray().Raw(text).Raw(text).EndArray().Bytes();
}

/** Drives a writer by letters: { } [ ] are brackets, f a field, n a null. */
export function writeSteps(steps: string): Uint8Array {
  const writer = new JsonWriter();
  for (let i = 0; i < steps.length; i++) {
    const step = steps.charAt(i);
    if (step == "{") writer.BeginObject();
    else if (step == "}") writer.EndObject();
    else if (step == "[") writer.BeginArray();
    else if (step == "]") writer.EndArray();
    else if (step == "f") writer.Field("f");
    else writer.Null();
  }
  return writer.Bytes();
}

export function decode(bytes: Uint8Array): string | null {
  return utf8.decode(bytes);
}
