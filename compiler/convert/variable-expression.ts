/**
 * Conditions on variables, as `rules` of GitLab (`$A == "x" && $B =~ /y/`) and `evaluate` of Woodpecker (`A == "x" and B contains "y"`)
 * have them, in our language.
 */
import { checkedPattern } from "./pattern.ts";
import { CannotConvert } from "./cannot.ts";
import { and, asCondition, compare, literalOf, not, or, textLiteral, type Typed } from "./typed.ts";

export interface Variables {
  /** The value; throws `CannotConvert`. */
  valueOf(name: string): Typed;
  /** Whether it has a value. */
  isSet(name: string): Typed;
  /** Variables that hold the event: whether it is the one that the other system calls so. */
  isEvent(name: string, event: string): Typed | null;
}

type Token = { kind: "variable" | "text" | "regex" | "sign" | "word"; text: string };

const token =
  /\s*(?:\$\{?([A-Za-z_]\w*)\}?|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|\/((?:[^/\\\n]|\\.)+)\/(i?)[a-z]*|(&&|\|\||==|!=|=~|!~|!|\(|\)|\[|\]|,)|([A-Za-z_]\w*))/y;

function lex(text: string): Token[] {
  if (text.length > 10_000) throw new CannotConvert("the condition is too long");
  const tokens: Token[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.trimEnd().length) {
    const found = token.exec(text);
    if (found === null) throw new CannotConvert("this condition is not understood");
    const [, variable, double, single, regex, flag, sign, word] = found;
    if (variable !== undefined) tokens.push({ kind: "variable", text: variable });
    else if (regex !== undefined)
      tokens.push({ kind: "regex", text: `${flag ? "(?i)" : ""}${regex.replaceAll("\\/", "/")}` });
    else if (sign !== undefined) tokens.push({ kind: "sign", text: sign });
    else if (word !== undefined) tokens.push(wordToken(word));
    else tokens.push({ kind: "text", text: (double ?? single ?? "").replace(/\\(.)/g, "$1") });
  }
  return tokens;
}

const operators: Readonly<Record<string, string>> = { and: "&&", or: "||", not: "!" };

function wordToken(word: string): Token {
  const operator = Object.hasOwn(operators, word) ? operators[word] : undefined;
  if (operator !== undefined) return { kind: "sign", text: operator };
  const isWord = ["null", "true", "false", "contains", "startsWith", "endsWith", "matches", "in"].includes(
    word,
  );
  return { kind: isWord ? "word" : "variable", text: word };
}

/** Throws `CannotConvert`. */
export function translateVariables(text: string, variables: Variables): Typed {
  const tokens = lex(text);
  let at = 0;
  let depth = 0;
  const isSign = (sign: string) => tokens[at]?.kind === "sign" && tokens[at]?.text === sign;

  function either(): Typed {
    const parts = [both()];
    while (isSign("||")) {
      at += 1;
      parts.push(both());
    }
    return parts.length === 1 ? (parts[0] as Typed) : or(parts);
  }

  function both(): Typed {
    const parts = [single()];
    while (isSign("&&")) {
      at += 1;
      parts.push(single());
    }
    return parts.length === 1 ? (parts[0] as Typed) : and(parts);
  }

  function single(): Typed {
    depth += 1;
    if (depth > 64) throw new CannotConvert("the condition is nested too deeply");
    try {
      if (isSign("!")) {
        at += 1;
        return not(single());
      }
      if (!isSign("(")) return comparison();
      at += 1;
      const inner = either();
      if (!isSign(")")) throw new CannotConvert("this condition is not understood");
      at += 1;
      return inner;
    } finally {
      depth -= 1;
    }
  }

  function comparison(): Typed {
    const left = tokens[at++];
    const operator = tokens[at];
    const isWord =
      operator?.kind === "word" &&
      ["contains", "startsWith", "endsWith", "matches", "in"].includes(operator.text);
    const isOperator = operator?.kind === "sign" && ["==", "!=", "=~", "!~"].includes(operator.text);
    if (left === undefined) throw new CannotConvert("this condition is not understood");
    if (!isWord && !isOperator) return truth(left, variables);
    at += 1;
    if (operator.text === "in") return oneOf(left);
    const right = tokens[at++];
    if (right === undefined) throw new CannotConvert("this condition is not understood");
    return compareTokens(operator.text, [left, right], variables);
  }

  function oneOf(left: Token): Typed {
    if (!isSign("[")) throw new CannotConvert("this condition is not understood");
    const parts: Typed[] = [];
    for (at += 1; !isSign("]"); at += 1) {
      if (isSign(",")) continue;
      const item = tokens[at];
      if (item === undefined) throw new CannotConvert("this condition is not understood");
      parts.push(compareTokens("==", [left, item], variables));
    }
    at += 1;
    return or(parts);
  }

  const result = either();
  if (at < tokens.length) throw new CannotConvert("this condition is not understood");
  return asCondition(result);
}

function truth(token: Token, variables: Variables): Typed {
  return token.kind === "variable" ? variables.isSet(token.text) : asCondition(valueOf(token, variables));
}

function valueOf(token: Token, variables: Variables): Typed {
  if (token.kind === "variable") return variables.valueOf(token.text);
  if (token.kind === "text") return textLiteral(token.text);
  if (token.kind === "word" && token.text === "null") return textLiteral("");
  if (token.kind === "word" && (token.text === "true" || token.text === "false"))
    return literalOf(token.text === "true");
  throw new CannotConvert("this condition is not understood");
}

function compareTokens(operator: string, [left, right]: [Token, Token], variables: Variables): Typed {
  const negate = (value: Typed, isNegated: boolean) => (isNegated ? not(value) : value);
  if (left.kind === "variable" && right.kind === "text" && (operator === "==" || operator === "!=")) {
    const event = variables.isEvent(left.text, right.text);
    if (event !== null) return negate(event, operator === "!=");
  }
  if (right.kind === "word" && right.text === "null" && left.kind === "variable")
    return negate(variables.isSet(left.text), operator === "==");
  const subject = valueOf(left, variables);
  if (operator === "==" || operator === "!=") return compare(operator, subject, valueOf(right, variables));
  if (operator === "contains" || operator === "startsWith" || operator === "endsWith")
    return { text: `${operator}(${subject.text}, ${valueOf(right, variables).text})`, kind: "boolean" };
  const pattern = checkedPattern(right.kind === "regex" || right.kind === "text" ? right.text : null);
  return negate(
    { text: `matches(${subject.text}, ${textLiteral(pattern).text})`, kind: "boolean" },
    operator === "!~",
  );
}
