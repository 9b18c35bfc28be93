/** The concurrency groups that runs of a repository use now. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/concurrency.ts";
import { Badge } from "../../ui/badge.tsx";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { PagedView } from "../../ui/paged-view.tsx";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { SlotLine } from "./slot-line.tsx";

type Slot = Schemas["ConcurrencySlot"];

export function ConcurrencyPage() {
  const { full_name: fullName } = useRepository();
  const path = useRepositoryPath();
  const pages = usePages(["concurrency", fullName], (query) =>
    api.GET("/repos/{owner}/{repo}/concurrency", { params: { path, query } }),
  );
  return (
    <Page title={text.title} within={fullName} lead={text.lead}>
      <p>
        <a href="/docs/pipelines/concurrency">{text.docs}</a>
      </p>
      <PagedView pages={pages} empty={<EmptyState title={text.none}>{text.noneHint}</EmptyState>}>
        {(groups) => groups.map((group) => <Group key={`${group.scope} ${group.group}`} group={group} />)}
      </PagedView>
    </Page>
  );
}

function Group({ group }: { group: Schemas["ConcurrencyGroup"] }) {
  const { group: name, scope, limit, holders, queue, queue_length: length } = group;
  const more = length - queue.length;
  return (
    <Section title={name}>
      {scope === "org" ? <Badge>{text.shared}</Badge> : null}
      <h3>{text.holders(holders.length, limit)}</h3>
      {holders.length > 0 ? <Slots slots={holders} /> : <p>{text.nobody}</p>}
      {length > 0 ? (
        <>
          <h3>{text.queue(length)}</h3>
          <Slots slots={queue} isOrdered />
          {more > 0 ? <p>{text.more(more)}</p> : null}
        </>
      ) : null}
    </Section>
  );
}

function Slots({ slots, isOrdered = false }: { slots: readonly Slot[]; isOrdered?: boolean }) {
  const List = isOrdered ? "ol" : "ul";
  return (
    <List>
      {slots.map((slot) => (
        <li key={slot.id}>
          <SlotLine slot={slot} /> <ReleaseButton slot={slot} />
        </li>
      ))}
    </List>
  );
}

/** The server applies the same rule: who maintains the repository, and not to what waits. */
function ReleaseButton({ slot: { id, state, pipeline } }: { slot: Slot }) {
  const { permissions } = useRepository();
  const path = { ...useRepositoryPath(), id };
  const mayRelease = permissions === "maintain" || permissions === "admin";
  if (!mayRelease || !pipeline || (state !== "held" && state !== "expected")) return null;
  return (
    <ConfirmButton
      label={text.release}
      name={text.releaseName(pipeline.number)}
      title={text.releaseTitle}
      said={text.released}
      kind="quiet"
      run={() => api.DELETE("/repos/{owner}/{repo}/concurrency/{id}", { params: { path } })}
    >
      <p>{text.releaseHint}</p>
    </ConfirmButton>
  );
}
