/** What a repository mirrors: how it is, what can be done with it, its syncs and its settings. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api, $api } from "../../api/client.ts";
import { pollUnlessRefused } from "../../api/polling.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/mirrors.ts";
import { Badge } from "../../ui/badge.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Form, type FormValues } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { formatCount } from "../../ui/size.ts";
import { Time } from "../../ui/time.tsx";
import { useChange } from "../../ui/use-change.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { MirrorActions } from "./actions.tsx";
import { MirrorDocs } from "./docs-link.tsx";
import { MirrorHistory } from "./history.tsx";
import { mirrorOf, MirrorFields } from "./mirror-fields.tsx";
import { timesInWords } from "./time-fields.tsx";
import { SetUp } from "./set-up.tsx";

type Mirror = Schemas["Mirror"];

const lookEveryMs = 2_000;
const tones = {
  waiting: "info",
  syncing: "info",
  up_to_date: "good",
  failing: "bad",
  paused: "plain",
} as const;

export function MirrorPage() {
  return useRepository().mirror ? <FoundMirror /> : <SetUp />;
}

function FoundMirror() {
  const path = useRepositoryPath();
  const query = $api.useQuery(
    "get",
    "/repos/{owner}/{repo}/mirror",
    { params: { path } },
    { refetchInterval: ({ state }) => pollUnlessRefused(state.error, lookEveryMs) },
  );
  return <QueryView query={query}>{(mirror) => <ShownMirror mirror={mirror} />}</QueryView>;
}

function ShownMirror({ mirror }: { mirror: Mirror }) {
  const { full_name: fullName, archived } = useRepository();
  const { last_sync: last } = mirror;
  return (
    <Page
      title={text.title}
      within={fullName}
      lead={text.lead}
      actions={archived ? null : <MirrorActions mirror={mirror} />}
    >
      <MirrorDocs />
      <Standing mirror={mirror} />
      <Facts facts={factsOf(mirror)} />
      {mirror.public_key === null ? null : (
        <Section title={text.publicKey} lead={text.publicKeyHint}>
          <CopyField value={mirror.public_key} label={text.publicKey} />
        </Section>
      )}
      <MirrorHistory version={`${last?.id} ${last?.status} ${last?.progress}`} />
      {archived ? null : (
        <Section title={text.settings}>
          <SettingsForm key={mirror.updated_at} mirror={mirror} />
        </Section>
      )}
    </Page>
  );
}

function factsOf(mirror: Mirror) {
  const { failing_since: since } = mirror;
  return [
    { name: text.status, value: <Badge tone={tones[mirror.status]}>{text.statuses[mirror.status]}</Badge> },
    { name: text.source, value: <code>{mirror.url}</code> },
    { name: text.schedule, value: timesInWords(mirror) },
    {
      name: text.nextSync,
      value: mirror.next_sync_at === null ? "–" : <Time at={mirror.next_sync_at} />,
    },
    {
      name: text.lastSuccess,
      value: mirror.last_success_at === null ? text.never : <Time at={mirror.last_success_at} />,
    },
    ...(since === null
      ? []
      : [
          { name: text.failingSince, value: <Time at={since} /> },
          { name: text.failures, value: formatCount(mirror.failures) },
        ]),
    ...(mirror.public_key === null
      ? []
      : [{ name: text.hostKeyShown, value: <code>{mirror.host_key_fingerprint ?? text.noHostKey}</code> }]),
  ];
}

function Standing({ mirror }: { mirror: Mirror }) {
  if (!mirror.enabled)
    return (
      <Notice tone="warn" title={text.pausedTitle}>
        {mirror.disabled_reason === "transferred" ? text.transferredHint : text.pausedHint}
      </Notice>
    );
  if (mirror.status !== "failing") return null;
  return (
    <Notice tone="bad" title={text.failingTitle}>
      {mirror.last_sync?.error} {text.failingHint}
    </Notice>
  );
}

function SettingsForm({ mirror }: { mirror: Mirror }) {
  const path = useRepositoryPath();
  const save = useChange(
    (values: FormValues) =>
      api.PUT("/repos/{owner}/{repo}/mirror", { params: { path }, body: mirrorOf(values, mirror) }),
    { said: text.saved },
  );
  return (
    <Form submit={text.save} state={save} onSubmit={save.mutate}>
      <MirrorFields mirror={mirror} problems={fieldProblems(save.error)} />
    </Form>
  );
}
