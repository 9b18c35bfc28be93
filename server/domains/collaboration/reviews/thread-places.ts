/** Where new threads begin: finds the lines in Git, and what the change shows of them. */
import type { ReviewComment } from "@forgeline/schemas/reviews/resource.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { ListedChange, ListedChanges } from "../../../platform/git/history/listed-changes.ts";
import type { Platform } from "../../../platform/platform.ts";
import { excerptOfLines, excerptOfPatch } from "./excerpt.ts";
import type { ReviewedRow } from "./places.store.ts";

export type WantedPlace = Omit<ReviewComment, "body">;

export interface FoundPlace {
  /** As the file is named on that side. */
  path: string;
  side: "old" | "new";
  startLine: number | null;
  line: number | null;
  /** The commit whose lines were counted. */
  sha: string;
  excerpt: string;
}

export interface ThreadPlaces {
  /**
   * In their order. `sha` is the head that was seen. Throws `validation_failed`, naming the field, for files that the merge request
   * does not change, and lines that they do not have.
   */
  find(
    repositoryId: string,
    row: ReviewedRow,
    wanted: { sha: string; places: readonly WantedPlace[]; fieldOf(index: number, name: string): string },
  ): Promise<FoundPlace[]>;
}

const mib = 1024 * 1024;
/** Comments on lines of larger files nobody needs, and each reads the file. */
const maxFileBytes = 10 * mib;
const patchLimits = { bytes: mib, lines: 20_000, allBytes: 16 * mib };
const contextLines = 10;
const timeoutMs = 10_000;
/** As Git tells binary files. */
const probedBytes = 8_000;

export function createThreadPlaces({ history, files }: Pick<Platform, "history" | "files">): ThreadPlaces {
  async function changesOf(repositoryId: string, base: string, head: string): Promise<ListedChanges> {
    const infos = await Promise.all([base, head].map((sha) => files.commitInfo(repositoryId, sha)));
    const [before, after] = infos.map((info) => info?.tree);
    if (before === undefined || after === undefined)
      throw invalidField("commit_sha", "unknown", "That commit is not kept any more: look at the head.");
    return history.listChanges(repositoryId, { before, after });
  }

  /** Null for a binary file. */
  async function linesOf(repositoryId: string, oid: string, field: string): Promise<string[] | null> {
    const blob = await files.readObject(repositoryId, oid, maxFileBytes);
    if (!blob?.bytes)
      throw invalidField(
        field,
        "too_large",
        "The file is too large for comments on lines: comment on the file.",
      );
    if (blob.bytes.subarray(0, probedBytes).includes(0)) return null;
    const lines = blob.bytes.toString("utf8").split("\n");
    if (lines.at(-1) === "") lines.pop();
    return lines;
  }

  async function excerptOf(repositoryId: string, { change, place, field }: Asked): Promise<string> {
    const { line, side } = place;
    if (line === undefined) return "";
    const file = sideOf(change, side);
    if (!file || file.kind === "submodule") throw noSuchLine(field("line"), 0);
    const lines = await linesOf(repositoryId, file.oid, field("path"));
    if (lines === null)
      throw invalidField(
        field("line"),
        "binary",
        "A binary file has no lines to comment on: comment on the file.",
      );
    if (line > lines.length) throw noSuchLine(field("line"), lines.length);
    const options = { ignoreWhitespace: false, contextLines, limits: patchLimits, timeoutMs };
    const [read] = await history.compareFiles(repositoryId, [change], options);
    const shown = read?.patch ? excerptOfPatch(read.patch, { side, line }) : "";
    return shown === "" ? excerptOfLines(lines, line) : shown;
  }

  return {
    async find(repositoryId, row, { sha, places, fieldOf }) {
      if (places.length === 0) return [];
      const base =
        sha === row.head_sha
          ? row.merge_base_sha
          : ((await history.mergeBase(repositoryId, row.target_sha, sha)) ?? null);
      if (base === null) throw new AppError("conflict", { message: "The branches share no history." });
      const changes = await changesOf(repositoryId, base, sha);
      const found: FoundPlace[] = [];
      for (const [index, place] of places.entries()) {
        const field = (name: string) => fieldOf(index, name);
        const change = findChange(changes, place);
        if (!change) throw invalidField(field("path"), "unknown", notChanged);
        const excerpt = await excerptOf(repositoryId, { change, place, field });
        found.push({ ...placeIn(change, place), sha: place.side === "new" ? sha : base, excerpt });
      }
      return found;
    },
  };
}

interface Asked {
  change: ListedChange;
  place: WantedPlace;
  field(name: string): string;
}

const notChanged = "The merge request does not change a file of this name.";

function sideOf({ before, after }: ListedChange, side: "old" | "new") {
  return side === "old" ? before : after;
}

/** A renamed file answers to both of its names; one that is named as it is now comes first. */
function findChange({ files }: ListedChanges, { path, side }: WantedPlace): ListedChange | undefined {
  const named = files.find((change) => change.path === path);
  const found =
    named ?? (side === "old" ? files.find(({ previousPath }) => previousPath === path) : undefined);
  return found && sideOf(found, side) ? found : undefined;
}

function placeIn({ path, previousPath }: ListedChange, place: WantedPlace) {
  const { side, line = null, start_line: startLine = null } = place;
  return { path: side === "old" ? (previousPath ?? path) : path, side, line, startLine };
}

function noSuchLine(field: string, count: number) {
  return invalidField(field, "unknown", `There is no such line: the file has ${count} on this side.`);
}
