/** Writes reviews of merge requests, and comments on lines: as threads where the commit is here, otherwise as comments that name the place. */
import type { Written } from "../../collaboration/domain.ts";
import { shortText } from "./imported-text.ts";
import type { SourceLineComment, SourceReview } from "./source-item.ts";
import type { Writing } from "./write-page.ts";

export function writeReview(
  { tx, writer, context, page, note }: Writing,
  item: SourceReview,
): Promise<Written> {
  const { repositoryId } = context;
  return writer.review(tx, repositoryId, {
    ...item,
    by: context.by(item.author),
    body: context.text(item, note),
    headSha: item.head !== null && !page.missing.has(item.head) ? item.head : null,
  });
}

export async function writeLineComment(writing: Writing, item: SourceLineComment): Promise<Written> {
  const { tx, writer, context, note } = writing;
  const by = context.by(item.author);
  const thread = await threadOf(writing, item);
  if (thread === undefined) {
    const body = context.text({ ...item, body: `${placeOf(item)}${item.body}` }, note);
    return writer.comment(tx, context.repositoryId, { ...item, by, body });
  }
  const reviewId = item.review === null ? null : ((await writing.find("review", item.review)) ?? null);
  const body = context.text(item, note);
  const written = await writer.lineComment(tx, context.repositoryId, { ...item, by, body, reviewId, thread });
  if ("threadId" in written && item.replyTo === null)
    writing.remember("thread", item.source, written.threadId);
  return written;
}

/** Undefined where it can only be an ordinary comment. */
async function threadOf({ writer, context, page, find }: Writing, item: SourceLineComment) {
  if (item.replyTo !== null) {
    const id = await find("thread", item.replyTo);
    return id === undefined ? undefined : { id };
  }
  const has = (sha: string | null | undefined): sha is string =>
    typeof sha === "string" && !page.missing.has(sha);
  const { path, side, line, startLine, hunk, isOutdated, resolvedAt } = item;
  const found = side === "old" ? await writer.findItem(context.repositoryId, item.number) : undefined;
  const sha = side === "old" ? (found?.merge_base_sha ?? item.commit) : item.commit;
  if (!has(sha) || path === "" || path.length > 4_096 || path.includes("\0")) return undefined;
  return {
    path: path.toWellFormed(),
    side,
    line,
    startLine,
    sha,
    excerpt: excerptOf(hunk),
    isOutdated,
    resolvedAt,
  };
}

const maxExcerptLines = 10;
const maxExcerptChars = 4_000;

function excerptOf(hunk: string): string {
  const lines = hunk.split("\n").filter((text) => !text.startsWith("@@"));
  return lines
    .slice(-maxExcerptLines)
    .join("\n")
    .replaceAll("\0", "")
    .toWellFormed()
    .slice(0, maxExcerptChars);
}

function placeOf({ path, line }: SourceLineComment): string {
  const name = shortText(path, 300).replaceAll("`", "'");
  return `On \`${name === "" ? "a file" : name}\`${line === null ? "" : `, line ${line}`}:\n\n`;
}
