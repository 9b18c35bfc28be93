/** A fork and its upstream: how far they are apart, what a sync would change, its syncs and its schedule. */
import { $api } from "../../api/client.ts";
import { pollUnlessRefused } from "../../api/polling.ts";
import { text } from "../../text/fork-syncs.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { canWrite } from "../repositories/can-write.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { ForkHistory } from "./fork-history.tsx";
import { ForkSchedule } from "./fork-schedule.tsx";
import { SyncNow } from "./sync-now.tsx";

const lookEveryMs = 3_000;

export function ForkPage() {
  const repository = useRepository();
  const path = useRepositoryPath();
  const query = $api.useQuery(
    "get",
    "/repos/{owner}/{repo}/sync",
    { params: { path } },
    { refetchInterval: ({ state }) => pollUnlessRefused(state.error, lookEveryMs) },
  );
  const { full_name: fullName, permissions } = repository;
  const mayWrite = canWrite(repository);
  const maySchedule = mayWrite && permissions !== "write";
  return (
    <QueryView query={query}>
      {(standing) => {
        const { upstream, last_sync: last, schedule } = standing;
        if (!upstream)
          return (
            <Page title={text.title} within={fullName}>
              <EmptyState title={repository.fork ? text.gone : text.notFork} />
            </Page>
          );
        return (
          <Page title={text.title} within={fullName} lead={text.lead(upstream.full_name)}>
            <SyncNow standing={standing} mayWrite={mayWrite} />
            <ForkHistory version={`${last?.id} ${last?.status}`} />
            {maySchedule ? <ForkSchedule key={schedule?.updated_at ?? ""} schedule={schedule} /> : null}
          </Page>
        );
      }}
    </QueryView>
  );
}
