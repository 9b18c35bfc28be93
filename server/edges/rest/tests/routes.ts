/** Binds the operations on tests that jobs report. */
import {
  getTest,
  listRunTests,
  listTestResults,
  listTests,
  quarantineTest,
  releaseTest,
} from "@forgeline/schemas/tests/routes.ts";
import type { TestService } from "../../../domains/pipelines/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerTestRoutes(app: RouteBinder, { tests }: { tests: TestService }): void {
  app.bindRepository(listRunTests, async ({ repository, params, query }) => {
    const { items, total } = await tests.ofRun(repository, params.id, query);
    return { body: items, total };
  });
  app.bindRepository(listTests, async ({ repository, query }) => {
    const { items, total } = await tests.list(repository, query);
    return { body: items, total };
  });
  app.bindRepository(getTest, async ({ repository, params }) => ({
    body: await tests.get(repository, params.test),
  }));
  app.bindRepository(listTestResults, async ({ repository, params, query }) => {
    const { items, total } = await tests.results(repository, params.test, query);
    return { body: items, total };
  });
  app.bindRepository(quarantineTest, async ({ actor, repository, params, body }) => ({
    body: await tests.quarantine(actor, repository, { id: params.test, ...body }),
  }));
  app.bindRepository(releaseTest, ({ actor, repository, params }) =>
    tests.release(actor, repository, params.test),
  );
}
