/** What a repository takes, how it is on disk, and looking after it now. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api, $api } from "../../api/client.ts";
import { text } from "../../text/repository-settings.ts";
import { text as words } from "../../text/storage.ts";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { formatBytes, formatCount } from "../../ui/size.ts";
import { Time } from "../../ui/time.tsx";
import { UsageBar } from "../../ui/usage-bar.tsx";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { RowActions } from "../../ui/row-actions.tsx";

const lookEveryMs = 2_000;

export function RepositoryStoragePage() {
  const repository = useRepository();
  const path = useRepositoryPath();
  const maintenance = $api.useQuery(
    "get",
    "/repos/{owner}/{repo}/maintenance",
    { params: { path } },
    { refetchInterval: ({ state: { data } }) => (isUnderWay(data) ? lookEveryMs : false) },
  );
  const storage = $api.useQuery("get", "/repos/{owner}/{repo}/storage", { params: { path } });
  const data = maintenance.data && storage.data && { state: maintenance.data, storage: storage.data };
  return (
    <Page title={text.storage} within={repository.full_name}>
      <QueryView query={{ data, error: maintenance.error ?? storage.error }}>
        {(found) => (
          <>
            <StorageUsed storage={found.storage} />
            <Section title={text.maintenance} lead={text.storageLead}>
              <State maintenance={found.state} />
              <RowActions>
                <ConfirmButton
                  label={text.maintain}
                  title={text.maintain}
                  kind="normal"
                  said={text.requested}
                  run={() =>
                    api.POST("/repos/{owner}/{repo}/maintenance", {
                      params: { path },
                      body: { prune: false },
                    })
                  }
                />
                <ConfirmButton
                  label={text.prune}
                  title={text.pruneTitle}
                  said={text.requested}
                  run={() =>
                    api.POST("/repos/{owner}/{repo}/maintenance", {
                      params: { path },
                      body: { prune: true },
                    })
                  }
                >
                  <p>{text.pruneHint}</p>
                </ConfirmButton>
              </RowActions>
            </Section>
          </>
        )}
      </QueryView>
    </Page>
  );
}

function isUnderWay(maintenance: Schemas["Maintenance"] | undefined): boolean {
  return maintenance?.state === "waiting" || maintenance?.state === "running";
}

function StorageUsed({ storage }: { storage: Schemas["RepositoryStorage"] }) {
  const { git_bytes: git, git_limit_bytes: limit, measured_at: at } = storage;
  return (
    <Section title={words.kept} lead={words.keptHint}>
      <UsageBar label={words.git} used={git} limit={limit} format={formatBytes} hint={words.gitFull} />
      <Facts
        facts={[
          { name: words.lfs, value: formatBytes(storage.lfs_bytes) },
          { name: words.logs, value: formatBytes(storage.log_bytes) },
          { name: words.attachments, value: formatBytes(storage.attachment_bytes) },
          { name: words.total, value: formatBytes(storage.total_bytes) },
          { name: words.measured, value: at ? <Time at={at} /> : words.notYet },
        ]}
      />
    </Section>
  );
}

function State(props: { maintenance: Schemas["Maintenance"] }) {
  const { state, problem, damage, ...found } = props.maintenance;
  const isBad = state === "failed" || state === "damaged";
  const at = (time: string | null) => (time ? <Time at={time} /> : text.never);
  return (
    <>
      <Notice
        tone={isBad ? "bad" : isUnderWay(props.maintenance) ? "info" : "good"}
        title={text.states[state]}
      >
        {problem}
        {damage.length > 0 ? (
          <ul aria-label={text.damage}>
            {damage.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        ) : null}
      </Notice>
      <Facts
        facts={[
          { name: text.looseObjects, value: formatCount(found.loose_objects) },
          { name: text.packs, value: formatCount(found.packs) },
          { name: text.maintained, value: at(found.maintained_at) },
          { name: text.repacked, value: at(found.repacked_at) },
          { name: text.checked, value: at(found.checked_at) },
          { name: text.pruned, value: at(found.pruned_at) },
        ]}
      />
    </>
  );
}
