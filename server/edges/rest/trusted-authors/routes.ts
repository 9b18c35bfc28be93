/** Binds the operations on people whose merge requests from forks run without being asked about. */
import { listTrustedAuthors, removeTrustedAuthor } from "@forgeline/schemas/trusted-authors/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { TrustedAuthorService } from "../../../domains/pipelines/domain.ts";

export function registerTrustedAuthorRoutes(
  app: RouteBinder,
  { trustedAuthors }: { trustedAuthors: TrustedAuthorService },
): void {
  app.bindRepository(listTrustedAuthors, async ({ repository, query }) => {
    const { items, total } = await trustedAuthors.list(repository, query);
    return { body: items, total };
  });
  app.bindRepository(removeTrustedAuthor, ({ actor, repository, params }) =>
    trustedAuthors.remove(actor, repository, params.username),
  );
}
