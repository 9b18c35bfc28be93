/** One push mirror: how it is, what has diverged, what can be done with it, its syncs and its settings. */
import { useParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api, $api } from "../../api/client.ts";
import { pollUnlessRefused } from "../../api/polling.ts";
import { fieldProblems } from "../../api/problem.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/push-mirrors.ts";
import { CopyField } from "../../ui/copy-field.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Form, type FormValues } from "../../ui/form.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { formatCount } from "../../ui/size.ts";
import { Time } from "../../ui/time.tsx";
import { useChange } from "../../ui/use-change.ts";
import { History } from "../mirrors/history.tsx";
import { timesInWords } from "../mirrors/time-fields.tsx";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { PushMirrorActions } from "./actions.tsx";
import { PushMirrorFields, pushMirrorOf } from "./push-mirror-fields.tsx";
import { PushMirrorStatus } from "./push-mirror-status.tsx";
import { Standing } from "./standing.tsx";

type PushMirror = Schemas["PushMirror"];

const lookEveryMs = 2_000;

export function PushMirrorPage() {
  const { id = "" } = useParams();
  const path = { ...useRepositoryPath(), id };
  const query = $api.useQuery(
    "get",
    "/repos/{owner}/{repo}/push-mirrors/{id}",
    { params: { path } },
    { refetchInterval: ({ state }) => pollUnlessRefused(state.error, lookEveryMs) },
  );
  return <QueryView query={query}>{(mirror) => <ShownMirror mirror={mirror} />}</QueryView>;
}

function ShownMirror({ mirror }: { mirror: PushMirror }) {
  const { full_name: fullName, archived } = useRepository();
  const actions = <PushMirrorActions mirror={mirror} rests={archived} />;
  return (
    <Page title={mirror.url} within={fullName} actions={actions}>
      <Standing mirror={mirror} />
      <Facts facts={factsOf(mirror)} />
      {mirror.public_key === null ? null : (
        <Section title={text.publicKey} lead={text.publicKeyHint}>
          <CopyField value={mirror.public_key} label={text.publicKey} />
        </Section>
      )}
      <Syncs mirror={mirror} />
      {archived ? null : (
        <Section title={text.settings}>
          <SettingsForm key={mirror.updated_at} mirror={mirror} />
        </Section>
      )}
    </Page>
  );
}

function factsOf(mirror: PushMirror) {
  const { failing_since: since, next_sync_at: next, last_success_at: success } = mirror;
  const times = timesInWords(mirror);
  return [
    { name: text.status, value: <PushMirrorStatus status={mirror.status} /> },
    { name: text.schedule, value: mirror.on_push ? text.afterPushes(times) : times },
    { name: text.nextSync, value: next === null ? "–" : <Time at={next} /> },
    { name: text.lastSuccess, value: success === null ? text.never : <Time at={success} /> },
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

function Syncs({ mirror: { id, last_sync: last } }: { mirror: PushMirror }) {
  const path = { ...useRepositoryPath(), id };
  const version = `${last?.id} ${last?.status} ${last?.progress}`;
  const pages = usePages(["push-mirror-history", id, version], (query) =>
    api.GET("/repos/{owner}/{repo}/push-mirrors/{id}/history", { params: { path, query } }),
  );
  return <History pages={pages} bytes={text.sent} />;
}

function SettingsForm({ mirror }: { mirror: PushMirror }) {
  const path = { ...useRepositoryPath(), id: mirror.id };
  const save = useChange(
    (values: FormValues) =>
      api.PATCH("/repos/{owner}/{repo}/push-mirrors/{id}", {
        params: { path },
        body: pushMirrorOf(values, mirror),
      }),
    { said: text.saved },
  );
  return (
    <Form submit={text.save} state={save} onSubmit={save.mutate}>
      <PushMirrorFields mirror={mirror} problems={fieldProblems(save.error)} />
    </Form>
  );
}
