import { wrapper } from "proxy-wasm-as/assembly";

/** How often something was counted, by response code; code 0 is a stream that ended without a response. */
export class Counts {
  private codes: Array<i32> = [];
  private numbers: Array<i64> = [];

  /** All requests, whatever their code. */
  get requests(): i64 {
    let sum: i64 = 0;
    for (let i = 0; i < this.numbers.length; i++) sum += this.numbers[i];
    return sum;
  }

  get size(): i32 {
    return this.codes.length;
  }

  codeAt(index: i32): i32 {
    return this.codes[index];
  }

  numberAt(index: i32): i64 {
    return this.numbers[index];
  }

  add(code: i32, number: i64): void {
    const at = this.codes.indexOf(code);
    if (at >= 0) {
      this.numbers[at] += number;
      return;
    }
    this.codes.push(code);
    this.numbers.push(number);
  }

  /** Adds another one's numbers; with factor −1 it takes them off. */
  addAll(other: Counts, factor: i64): void {
    for (let i = 0; i < other.size; i++) this.add(other.codeAt(i), factor * other.numberAt(i));
  }

  /** What was counted since `earlier`. */
  since(earlier: Counts): Counts {
    const rest = new Counts();
    rest.addAll(this, 1);
    rest.addAll(earlier, -1);
    return rest;
  }

  /** As the fields of the object the writer stands in: `"200":11,"503":1`. A code without requests is left out. */
  write(json: wrapper.JsonWriter): void {
    for (let i = 0; i < this.codes.length; i++) {
      if (this.numbers[i] != 0) json.Field(this.codes[i].toString()).Int(this.numbers[i]);
    }
  }

  /** The same as a whole object, in text. */
  json(): string {
    const json = new wrapper.JsonWriter();
    json.BeginObject();
    this.write(json);
    json.EndObject();
    return wrapper.utf8.decodeLossy(json.Bytes());
  }

  /** Anything that is not a number of requests by code is left out: other plugins could write here. */
  static read(json: wrapper.Json): Counts {
    const counts = new Counts();
    if (!json.IsObject()) return counts;
    json.ForEach(counts, (counts, code, number) => {
      if (number.Int() > 0) counts.add(<i32>code.Int(), number.Int());
      return true;
    });
    return counts;
  }
}
