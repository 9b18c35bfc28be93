/** All files that a commit or a comparison changes: by page with their patches, and one file's change by itself. */
import type { FileDiff } from "@forgeline/schemas/commits/resource.ts";
import type { ChangesQuery, PatchQuery } from "@forgeline/schemas/commits/routes.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError } from "../../../platform/app-error.ts";
import { allContextLines } from "../../../platform/git/history/compared-files.ts";
import type { ListedChange, ListedChanges } from "../../../platform/git/history/listed-changes.ts";
import type { RepositoryFiles } from "../../../platform/git/storage/repository-files.ts";
import type { RepositoryHistory } from "../../../platform/git/storage/repository-history.ts";
import type { Revalidate } from "../../../platform/http/revalidate.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { repositoryAddress } from "../repositories/repository-address.ts";
import { createChangeRanges, type ChangeRange, type NamedRange } from "./change-range.ts";
import { comparable, fileLimits, pageLimits, shownDiff, type DiffLimits } from "./compare-page.ts";
import { createFileFacts } from "./file-facts.ts";
import { createKeptPages, type ComparedPage } from "./kept-pages.ts";
import { presentFileDiff, type DiffAddresses } from "./present.ts";
import type { CommitService } from "./service.ts";

export interface ChangedFilesPage {
  files: FileDiff[];
  /** Of all pages. */
  total: number;
  /** The change has more files than are listed. */
  truncated: boolean;
}

/** Two commits that the caller may show, and where what is left out of a page is found. */
export interface ShownRange extends ChangeRange {
  addresses: DiffAddresses;
}

export interface ChangedFiles {
  /** `basehead` as for `ChangeRanges.named`. Throws `not_found`. */
  list(
    repository: RepositoryRef,
    question: ChangesQuery & { basehead: string },
    revalidate: Revalidate,
  ): Promise<ChangedFilesPage>;
  /** Throws `not_found`, also for a path that is not in the list. */
  patch(
    repository: RepositoryRef,
    question: PatchQuery & { basehead: string },
    revalidate: Revalidate,
  ): Promise<FileDiff>;
  /** As `list`, by commits that the caller has found. */
  listBetween(repository: RepositoryRef, range: ShownRange, query: ChangesQuery): Promise<ChangedFilesPage>;
  /** As `patch`, by commits that the caller has found. */
  patchBetween(repository: RepositoryRef, range: ShownRange, query: PatchQuery): Promise<FileDiff>;
}

export interface ChangedFilesDeps {
  commits: Pick<CommitService, "resolve" | "info">;
  files: RepositoryFiles;
  history: RepositoryHistory;
  addresses: Addresses;
}

/** How the files are compared. */
interface Comparing {
  whitespace: ChangesQuery["whitespace"];
  contextLines: number;
  limits: DiffLimits;
}

export function createChangedFiles(deps: ChangedFilesDeps): ChangedFiles {
  const { history } = deps;
  const ranges = createChangeRanges(deps);
  const readFacts = createFileFacts(deps);
  const pages = createKeptPages();

  async function listOf(repository: RepositoryRef, range: ChangeRange): Promise<ListedChanges> {
    return history.listChanges(repository.id, await ranges.treesOf(repository, range));
  }

  async function compare(
    repositoryId: string,
    { after, changes }: { after: string; changes: readonly ListedChange[] },
    { whitespace, contextLines, limits }: Comparing,
  ): Promise<ComparedPage> {
    const facts = await readFacts(repositoryId, after, changes);
    const found = changes.map((change, index) => ({ change, facts: facts[index]! }));
    const isCompared = comparable(found, limits);
    const compared = await history.compareFiles(
      repositoryId,
      changes.filter((_, index) => isCompared[index]),
      {
        ignoreWhitespace: whitespace === "ignore",
        contextLines,
        limits: limits.patch,
        timeoutMs: limits.timeoutMs,
      },
    );
    const reads = compared.values();
    const files = found.map((file, index) => ({
      file,
      shown: shownDiff(isCompared[index] ? reads.next().value : undefined),
    }));
    return { files, isWhole: !compared.includes(undefined) };
  }

  const showFiles = ({ files }: ComparedPage, range: ShownRange) =>
    files.map(({ file, shown }) => presentFileDiff(file, shown, range));

  async function shownRange(
    repository: RepositoryRef,
    named: NamedRange,
    query: Pick<PatchQuery, "whitespace">,
  ): Promise<ShownRange> {
    const address = repositoryAddress(deps.addresses, repository);
    const patches = address.api(
      "patches",
      named.base === null ? named.head : `${named.base}...${named.head}`,
    );
    const option = query.whitespace === "ignore" ? "&whitespace=ignore" : "";
    return {
      ...(await ranges.rangeOf(repository, named)),
      addresses: {
        patch: (path) => `${patches}?path=${encodeURIComponent(path)}${option}`,
        raw: (sha, path) => address.api("raw", sha, ...path.split("/")),
      },
    };
  }

  const listBetween: ChangedFiles["listBetween"] = async (repository, range, query) => {
    const { files, more } = await listOf(repository, range);
    const start = (query.page - 1) * query.per_page;
    const changes = files.slice(start, start + query.per_page);
    const { before, after } = range;
    const { whitespace, context: contextLines, page: number, per_page: perPage } = query;
    const key = JSON.stringify([repository.id, before, after, whitespace, contextLines, number, perPage]);
    const page = await pages.get(key, () =>
      compare(repository.id, { after, changes }, { whitespace, contextLines, limits: pageLimits }),
    );
    return {
      files: showFiles(page, range),
      total: files.length,
      truncated: more,
    };
  };

  const patchBetween: ChangedFiles["patchBetween"] = async (repository, range, query) => {
    const { files } = await listOf(repository, range);
    const changes = files.filter(({ path }) => path === query.path);
    const contextLines = query.context === "all" ? allContextLines : Number(query.context);
    const { whitespace } = query;
    const comparing = { whitespace, contextLines, limits: fileLimits };
    const compared = await compare(repository.id, { after: range.after, changes }, comparing);
    const [file] = showFiles(compared, range);
    if (!file) throw new AppError("not_found");
    return file;
  };

  return {
    async list(repository, { basehead, ...query }, revalidate) {
      const named = await ranges.named(repository, basehead);
      revalidate(`${named.base} ${named.head}`);
      return listBetween(repository, await shownRange(repository, named, query), query);
    },
    async patch(repository, { basehead, ...query }, revalidate) {
      const named = await ranges.named(repository, basehead);
      revalidate(`${named.base} ${named.head}`);
      return patchBetween(repository, await shownRange(repository, named, query), query);
    },
    listBetween,
    patchBetween,
  };
}
