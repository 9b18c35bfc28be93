/** Templates of issues and merge requests, as the default branch of a repository has them. */
import { createLruMap } from "../../../platform/sockets/lru-map.ts";
import { parseTemplate, type ParsedTemplate } from "@forgeline/compiler/text-templates/parse.ts";
import {
  isTemplate,
  issueTemplates,
  mergeRequestTemplates,
  type TemplatePlaces,
} from "@forgeline/compiler/text-templates/places.ts";
import {
  maxTemplateBytes,
  maxTemplates,
  type TextTemplate,
  type TextTemplates,
} from "@forgeline/schemas/text-templates/resource.ts";
import type { RepositoryFiles } from "../../../platform/git/storage/repository-files.ts";
import type { RepositoryRef } from "../../policy/domain.ts";

export interface TextTemplateService {
  ofIssues(repository: RepositoryRef): Promise<TextTemplates>;
  ofMergeRequests(repository: RepositoryRef): Promise<TextTemplates>;
  /** The template or form of issues at the path; undefined where there is none, or it has errors. */
  findForIssue(repository: RepositoryRef, path: string): Promise<TextTemplate | undefined>;
  /** As `findForIssue`. */
  findForMergeRequest(repository: RepositoryRef, path: string): Promise<TextTemplate | undefined>;
}

const nothing: TextTemplates = { templates: [], errors: [] };

/** So many files that were asked for last are kept as they were read. */
const maxKept = 200;

export function createTextTemplates({ files }: { files: RepositoryFiles }): TextTemplateService {
  const kept = createLruMap<ParsedTemplate>(maxKept);

  async function pathsIn(repositoryId: string, sha: string, places: TemplatePlaces): Promise<string[]> {
    for (const directory of places.directories) {
      const entries = await files.listDirectory(repositoryId, sha, directory);
      const names = (entries ?? []).filter(({ type }) => type === "file").map(({ name }) => name);
      const found = names.filter((name) => isTemplate(name, places)).slice(0, maxTemplates);
      if (found.length > 0) return found.map((name) => `${directory}/${name}`);
    }
    for (const path of places.files)
      if (await files.readFile(repositoryId, { sha, path, maxBytes: 0 })) return [path];
    return [];
  }

  async function read(repositoryId: string, sha: string, path: string) {
    const file = await files.readFile(repositoryId, { sha, path, maxBytes: maxTemplateBytes });
    if (!file?.bytes)
      return {
        error: { path, line: null, message: `It is larger than ${maxTemplateBytes / 1024} KiB.` },
      };
    const text = file.bytes.toString("utf8");
    return kept.get(`${file.oid} ${path}`, () => parseTemplate(path, text));
  }

  async function list(repository: RepositoryRef, places: TemplatePlaces): Promise<TextTemplates> {
    const { id } = repository;
    const head = await files.resolveRef(id, `refs/heads/${repository.defaultBranch}`);
    if (!head) return nothing;
    const paths = await pathsIn(id, head.sha, places);
    const parsed = await Promise.all(paths.map((path) => read(id, head.sha, path)));
    return {
      templates: parsed.flatMap((each) => ("template" in each ? [each.template] : [])),
      errors: parsed.flatMap((each) => ("error" in each ? [each.error] : [])),
    };
  }

  async function find({ id, defaultBranch }: RepositoryRef, places: TemplatePlaces, path: string) {
    const head = await files.resolveRef(id, `refs/heads/${defaultBranch}`);
    if (!head || !(await pathsIn(id, head.sha, places)).includes(path)) return undefined;
    const parsed = await read(id, head.sha, path);
    return "template" in parsed ? parsed.template : undefined;
  }

  return {
    ofIssues: (repository) => list(repository, issueTemplates),
    ofMergeRequests: (repository) => list(repository, mergeRequestTemplates),
    findForIssue: (repository, path) => find(repository, issueTemplates, path),
    findForMergeRequest: (repository, path) => find(repository, mergeRequestTemplates, path),
  };
}
