/** Binds the operations on branches and tags. */
import {
  createBranch,
  createTag,
  deleteBranch,
  deleteTag,
  getBranch,
  getTag,
  listBranches,
  listTags,
} from "@forgeline/schemas/branches/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { BranchService, BranchWriter } from "../../../domains/hosting/domain.ts";

export interface BranchRoutesDeps {
  branches: BranchService;
  branchWriter: BranchWriter;
}

export function registerBranchRoutes(app: RouteBinder, deps: BranchRoutesDeps): void {
  const { branches } = deps;
  app.bindRepository(listBranches, async ({ repository, query, revalidate }) => {
    const { refs, total, version } = await branches.page(repository, "heads", query);
    const patterns = await branches.protectedPatterns(repository, "heads");
    revalidate(JSON.stringify([version, repository.defaultBranch, patterns]));
    return { body: await branches.showBranches(repository, refs, patterns), total };
  });
  app.bindRepository(getBranch, async ({ repository, params, revalidate }) => {
    const found = await branches.find(repository, "heads", params.branch);
    const patterns = await branches.protectedPatterns(repository, "heads");
    revalidate(JSON.stringify([found.oid, repository.defaultBranch, patterns]));
    return { body: only(await branches.showBranches(repository, [found], patterns)) };
  });
  app.bindRepository(listTags, async ({ repository, query, revalidate }) => {
    const { refs, total, version } = await branches.page(repository, "tags", query);
    const patterns = await branches.protectedPatterns(repository, "tags");
    revalidate(JSON.stringify([version, patterns]));
    return { body: await branches.showTags(repository, refs, patterns), total };
  });
  app.bindRepository(getTag, async ({ repository, params, revalidate }) => {
    const found = await branches.find(repository, "tags", params.name);
    const patterns = await branches.protectedPatterns(repository, "tags");
    revalidate(JSON.stringify([found.oid, patterns]));
    return { body: only(await branches.showTags(repository, [found], patterns)) };
  });
  registerWriting(app, deps);
}

function registerWriting(app: RouteBinder, { branches, branchWriter }: BranchRoutesDeps): void {
  app.bindRepository(createBranch, async ({ repository, actor, body }) => {
    const made = await branchWriter.createBranch(repository, actor, body);
    const patterns = await branches.protectedPatterns(repository, "heads");
    const branch = only(await branches.showBranches(repository, [made], patterns));
    return { body: branch, location: branch.url };
  });
  app.bindRepository(deleteBranch, ({ repository, actor, params }) =>
    branchWriter.remove(repository, actor, { kind: "heads", name: params.branch }),
  );
  app.bindRepository(createTag, async ({ repository, actor, body }) => {
    const made = await branchWriter.createTag(repository, actor, body);
    const patterns = await branches.protectedPatterns(repository, "tags");
    const tag = only(await branches.showTags(repository, [made], patterns));
    return { body: tag, location: tag.url };
  });
  app.bindRepository(deleteTag, ({ repository, actor, params }) =>
    branchWriter.remove(repository, actor, { kind: "tags", name: params.name }),
  );
}

/** It may have gone away since it was found. */
function only<T>(records: readonly T[]): T {
  const [record] = records;
  if (record === undefined) throw new AppError("not_found");
  return record;
}
