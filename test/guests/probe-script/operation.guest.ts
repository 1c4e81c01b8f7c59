/** One operation of a script, taken apart; what the operations of a running line share. */
import { newestStreamId, rememberCaller } from "./contexts.guest";
import { Context } from "./contexts.guest";
import { isOutSet, outNumber, outWord } from "./out.guest";
import { room, Room } from "./words.guest";

/** The last token or id that a call gave. */
let last: u32 = 0;

export class Operation {
  name: string = "";
  private words: string[];

  constructor(
    readonly text: string,
    /** Whose line this is. */
    readonly context: Context,
  ) {
    this.words = text.split(" ").filter((word) => word.length > 0);
    this.name = this.words.length == 0 ? "" : this.words[0];
  }

  /** The word in that place, from 1; "" when there is none. `$…` names are filled in. */
  word(place: i32): string {
    if (place >= this.words.length) return "";
    const word = this.words[place];
    if (word == "$ctx") return this.context.id.toString();
    if (word == "$root") return this.context.rootId.toString();
    if (word == "$stream") return newestStreamId().toString();
    return word == "$last" ? last.toString() : word;
  }

  room(place: i32): Room {
    return room(this.word(place));
  }

  /** Decimal, with a sign where wanted; else 0. */
  long(place: i32): i64 {
    const word = this.word(place);
    return word.length == 0 ? 0 : I64.parseInt(word, 10);
  }

  number(place: i32): u32 {
    return <u32>this.long(place);
  }

  has(place: i32): bool {
    return place < this.words.length;
  }

  /** The rest of the text from that place on, as written. */
  rest(place: i32): string {
    return this.words.slice(place).join(" ");
  }

  /** The token or id in that output word; the context that got it hears the answer. */
  token(at: usize, isCall: bool): string {
    if (isOutSet(at) && outNumber(at) != 0) {
      last = outNumber(at);
      if (isCall) rememberCaller(last, this.context.id);
    }
    return " " + outWord(at);
  }
}
