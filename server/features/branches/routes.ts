/** Binds the operations on branches and tags. */
import { getBranch, getTag, listBranches, listTags } from "@forgeline/schemas/branches/routes.ts";
import type { RouteBinder } from "../../http/route-binder.ts";
import { AppError } from "../../platform/app-error.ts";
import type { BranchService } from "./service.ts";

export function registerBranchRoutes(app: RouteBinder, { branches }: { branches: BranchService }): void {
  app.bindRepository(listBranches, async ({ repository, query, revalidate }) => {
    const { refs, total, version } = await branches.page(repository, "heads", query);
    revalidate(`${version} ${repository.defaultBranch}`);
    return { body: await branches.showBranches(repository, refs), total };
  });
  app.bindRepository(getBranch, async ({ repository, params, revalidate }) => {
    const found = await branches.find(repository, "heads", params.branch);
    revalidate(`${found.oid} ${repository.defaultBranch}`);
    return { body: only(await branches.showBranches(repository, [found])) };
  });
  app.bindRepository(listTags, async ({ repository, query, revalidate }) => {
    const { refs, total, version } = await branches.page(repository, "tags", query);
    revalidate(version);
    return { body: await branches.showTags(repository, refs), total };
  });
  app.bindRepository(getTag, async ({ repository, params, revalidate }) => {
    const found = await branches.find(repository, "tags", params.name);
    revalidate(found.oid);
    return { body: only(await branches.showTags(repository, [found])) };
  });
}

/** It may have gone away since it was found. */
export function only<T>(records: readonly T[]): T {
  const [record] = records;
  if (record === undefined) throw new AppError("not_found");
  return record;
}
