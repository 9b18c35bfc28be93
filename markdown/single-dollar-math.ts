/**
 * Formulas between single dollars, as GitHub reads them: `$x$` is one, while "$5 and $10" and "$HOME and $PATH" are prices and
 * names. So a formula begins and ends without a space, ends on the line on which it begins, and neither follows a word nor is
 * followed by one. The extension of micromark takes whatever stands between two dollars.
 */
import { markdownLineEnding, unicodePunctuation, unicodeWhitespace } from "micromark-util-character";
import type { Code, Construct, Effects, Extension, State } from "micromark-util-types";

const dollar = 36;
const backslash = 92;
const maxLength = 2_000;

const construct: Construct = {
  name: "mathText",
  previous: isOutsideOfWord,
  tokenize(effects, ok, nok) {
    return startOf(effects, { ok, nok });
  },
};

export const singleDollarMath: Extension = { text: { [dollar]: construct } };

function startOf(effects: Effects, { ok, nok }: { ok: State; nok: State }): State {
  let last: Code = null;
  let length = 0;

  function opened(code: Code): State | undefined {
    effects.consume(code);
    effects.exit("mathTextSequence");
    return first;
  }
  function first(code: Code): State | undefined {
    if (code === dollar || isEnd(code) || unicodeWhitespace(code)) return nok(code);
    effects.enter("mathTextData");
    return within(code);
  }
  function within(code: Code): State | undefined {
    if (isEnd(code) || ++length > maxLength) return nok(code);
    if (code === dollar && last !== backslash) {
      if (unicodeWhitespace(last)) return nok(code);
      effects.exit("mathTextData");
      effects.enter("mathTextSequence");
      effects.consume(code);
      effects.exit("mathTextSequence");
      effects.exit("mathText");
      return closed;
    }
    last = last === backslash && code === backslash ? null : code;
    effects.consume(code);
    return within;
  }
  function closed(code: Code): State | undefined {
    return isOutsideOfWord(code) ? ok(code) : nok(code);
  }

  return (code) => {
    effects.enter("mathText");
    effects.enter("mathTextSequence");
    return opened(code);
  };
}

function isEnd(code: Code): boolean {
  return code === null || markdownLineEnding(code);
}

/** The next or the one before, which may be a part of the line's end. */
function isOutsideOfWord(code: Code): boolean {
  return isEnd(code) || unicodeWhitespace(code) || (unicodePunctuation(code) && code !== dollar);
}
