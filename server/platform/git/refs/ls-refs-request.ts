/** A client's request for refs in protocol 2 (`ls-refs`). */
import { AppError } from "../../app-error.ts";
import { readPackets, type TakePacket } from "../transfer/packet-lines.ts";
import { tooManyPrefixes } from "./ref-prefixes.ts";

export interface LsRefsRequest {
  peel: boolean;
  symrefs: boolean;
  unborn: boolean;
  /** Prefixes of names; empty: all names. */
  prefixes: string[];
}

/** As many prefixes as count, of 64 bytes each. Git's client says six for each ref that it is told to fetch by its name. */
const maxBytes = 4 * 1024 * 1024;
const beginning = /^001[34]command=ls-refs/;

/**
 * Undefined for any other request, and for one that says what we do not know: from there on nothing is read. Gives others their
 * turns of the event loop. Throws `payload_too_large`.
 */
export async function readLsRefsRequest(request: Buffer): Promise<LsRefsRequest | undefined> {
  if (!beginning.test(request.toString("latin1", 0, 24))) return undefined;
  if (request.length > maxBytes)
    throw new AppError("payload_too_large", { message: "The request lists too many refs." });
  const reader = createReader(request);
  await readPackets(request, reader.take);
  return reader.question();
}

function createReader(request: Buffer) {
  const question: LsRefsRequest = { peel: false, symrefs: false, unborn: false, prefixes: [] };
  let part: "capabilities" | "words" | "end" = "capabilities";
  let isWhole = false;

  function readArgument(word: string): boolean {
    if (word === "peel" || word === "symrefs" || word === "unborn") question[word] = true;
    else if (!word.startsWith("ref-prefix ")) return false;
    else if (question.prefixes.length < tooManyPrefixes)
      question.prefixes.push(word.slice("ref-prefix ".length));
    return true;
  }

  const take: TakePacket = (start, end, length) => {
    if (length === 0) {
      part = "end";
      isWhole = end === request.length;
      return false;
    }
    if (length === 1 && part === "capabilities") {
      part = "words";
      return true;
    }
    if (length < 4 || end !== start - 4 + length) return false;
    const text = request.toString("latin1", start, end).replace(/\n$/, "");
    return part === "words" ? readArgument(text) : capability.test(text);
  };

  return {
    take,
    question(): LsRefsRequest | undefined {
      if (!isWhole) return undefined;
      return question.prefixes.length < tooManyPrefixes ? question : { ...question, prefixes: [] };
    },
  };
}

const capability = /^(?:command=ls-refs$|agent=|object-format=sha1$)/;
