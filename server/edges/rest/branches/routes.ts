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
import type { BranchService, BranchWriter } from "../../../domains/hosting/domain.ts";

export interface BranchRoutesDeps {
  branches: BranchService;
  branchWriter: BranchWriter;
}

export function registerBranchRoutes(app: RouteBinder, { branches, branchWriter }: BranchRoutesDeps): void {
  app.bindRepository(listBranches, async ({ repository, query, revalidate }) => {
    const { branches: body, total } = await branches.listBranches(repository, query, revalidate);
    return { body, total };
  });
  app.bindRepository(getBranch, async ({ repository, params, revalidate }) => ({
    body: await branches.getBranch(repository, params.branch, revalidate),
  }));
  app.bindRepository(createBranch, async ({ repository, actor, body }) => {
    const branch = await branchWriter.createBranch(repository, actor, body);
    return { body: branch, location: branch.url };
  });
  app.bindRepository(deleteBranch, ({ repository, actor, params }) =>
    branchWriter.remove(repository, actor, { kind: "heads", name: params.branch }),
  );
  app.bindRepository(listTags, async ({ repository, query, revalidate }) => {
    const { tags: body, total } = await branches.listTags(repository, query, revalidate);
    return { body, total };
  });
  app.bindRepository(getTag, async ({ repository, params, revalidate }) => ({
    body: await branches.getTag(repository, params.name, revalidate),
  }));
  app.bindRepository(createTag, async ({ repository, actor, body }) => {
    const tag = await branchWriter.createTag(repository, actor, body);
    return { body: tag, location: tag.url };
  });
  app.bindRepository(deleteTag, ({ repository, actor, params }) =>
    branchWriter.remove(repository, actor, { kind: "tags", name: params.name }),
  );
}
