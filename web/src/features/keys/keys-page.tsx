/** The keys by which the instance encrypts, what refers to each, and their replacement. */
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api, $api } from "../../api/client.ts";
import { pollUnlessRefused } from "../../api/polling.ts";
import { text as administration } from "../../text/administration.ts";
import { text } from "../../text/keys.ts";
import { Badge } from "../../ui/badge.tsx";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { formatCount } from "../../ui/size.ts";
import { IdTokenKeys } from "../id-tokens/id-token-keys.tsx";
import { workPageOf } from "../administration/background-work-words.tsx";
import { Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";

type Key = Schemas["InstanceKey"];
type Rotation = Schemas["KeyRotation"];

const lookEveryMs = 3_000;
/** Rotations that are shown; there are few. */
const newest = 50;
const tones = { pending: "info", current: "good", old: "plain" } as const;
const rotationTones = { running: "info", done: "good", cancelled: "plain" } as const;

export function KeysPage() {
  const keys = $api.useQuery(
    "get",
    "/admin/keys",
    {},
    { refetchInterval: ({ state }) => pollUnlessRefused(state.error, lookEveryMs) },
  );
  const rotations = $api.useQuery(
    "get",
    "/admin/key-rotations",
    { params: { query: { per_page: newest } } },
    { refetchInterval: ({ state }) => pollUnlessRefused(state.error, lookEveryMs) },
  );
  return (
    <Page title={text.title} within={administration.administration} lead={text.lead} actions={<Rotate />}>
      <QueryView query={keys}>{(found) => <Keys keys={found.keys} />}</QueryView>
      <Section title={text.rotations}>
        <QueryView query={rotations}>{(found) => <Rotations rotations={found} />}</QueryView>
      </Section>
      <IdTokenKeys />
    </Page>
  );
}

function Rotate() {
  return (
    <ConfirmButton
      label={text.rotate}
      title={text.rotateTitle}
      said={text.rotateBegun}
      kind="normal"
      run={() => api.POST("/admin/key-rotations")}
    >
      <p>{text.rotateHint}</p>
    </ConfirmButton>
  );
}

function Keys({ keys }: { keys: readonly Key[] }) {
  return (
    <Table
      caption={text.keys}
      rows={keys}
      keyOf={({ id }) => id}
      columns={[
        { title: text.id, cell: ({ id }) => <code>{id}</code> },
        { title: text.state, cell: ({ state }) => <Badge tone={tones[state]}>{text.states[state]}</Badge> },
        {
          title: text.created,
          cell: ({ created_at: at }) => (at === null ? text.unknownAge : <Time at={at} />),
        },
        {
          title: text.wrappedBy,
          cell: ({ wrapped_by: place }) => (place === null ? text.missingPlace : text.places[place]),
        },
        { title: text.encrypted, wide: true, cell: ({ encrypted }) => <span>{countsOf(encrypted)}</span> },
      ]}
    />
  );
}

function Rotations({ rotations }: { rotations: readonly Rotation[] }) {
  if (rotations.length === 0) return <EmptyState title={text.noRotations} />;
  return (
    <Table
      caption={text.rotations}
      rows={rotations}
      keyOf={({ id }) => id}
      columns={[
        { title: text.state, cell: (rotation) => <RotationState rotation={rotation} /> },
        { title: text.by, cell: ({ requested_by: name }) => name ?? "" },
        { title: text.begun, cell: ({ created_at: at }) => <Time at={at} /> },
        { title: text.ended, cell: ({ finished_at: at }) => (at === null ? "" : <Time at={at} />) },
        { title: text.newKey, cell: ({ key_id: id }) => <code>{id}</code> },
        {
          title: text.again,
          wide: true,
          cell: ({ encrypted, unreadable }) => (
            <span>
              {countsOf(encrypted)}
              {unreadable > 0 ? `; ${text.unreadable(formatCount(unreadable))}` : ""}
            </span>
          ),
        },
      ]}
    />
  );
}

/** Leads to its background work while there is something to see. */
function RotationState({ rotation: { state, work_url: workUrl } }: { rotation: Rotation }) {
  const badge = <Badge tone={rotationTones[state]}>{text.rotationStates[state]}</Badge>;
  if (state !== "running") return badge;
  return <Link to={workPageOf(workUrl)}>{badge}</Link>;
}

function countsOf(encrypted: Key["encrypted"]): string {
  const kinds = Object.keys(text.kinds) as (keyof Key["encrypted"])[];
  const some = kinds.filter((kind) => encrypted[kind] > 0);
  return some.map((kind) => `${formatCount(encrypted[kind])} ${text.kinds[kind]}`).join(", ") || text.nothing;
}
