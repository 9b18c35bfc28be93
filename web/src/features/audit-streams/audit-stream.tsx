/** Where an audit log is sent: how that is, what can be done with it, and its settings. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { pollUnlessRefused } from "../../api/polling.ts";
import { fieldProblems, isNotFound } from "../../api/problem.ts";
import { text } from "../../text/audit-streams.ts";
import { Badge } from "../../ui/badge.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Form, type FormValues } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { formatCount } from "../../ui/size.ts";
import { Time } from "../../ui/time.tsx";
import { useChange } from "../../ui/use-change.ts";
import { StreamActions } from "./actions.tsx";
import { StreamFields, streamOf } from "./stream-fields.tsx";

export type Stream = Schemas["AuditStream"];

export interface StreamSource {
  /** Names the log among others. */
  key: string;
  within: string;
  /** Of the page with the log. */
  log: string;
  find: () => Promise<{ data?: Stream }>;
  set: (body: Schemas["AuditStreamSet"]) => Promise<unknown>;
  test: () => Promise<{ data?: Schemas["AuditStreamTest"] }>;
  remove: () => Promise<unknown>;
}

const lookEveryMs = 2_000;
const tones = { up_to_date: "good", sending: "info", failing: "bad", paused: "plain" } as const;

export function AuditStream({ source }: { source: StreamSource }) {
  const query = useQuery({
    queryKey: ["audit-stream", source.key],
    queryFn: async () => (await source.find()).data ?? null,
    refetchInterval: ({ state }) => pollUnlessRefused(state.error, lookEveryMs),
  });
  const isNowhere = isNotFound(query.error);
  return (
    <Page
      title={text.title}
      within={source.within}
      lead={text.lead}
      actions={query.data && !isNowhere ? <StreamActions stream={query.data} source={source} /> : null}
    >
      <p>
        <Link to={source.log}>{text.back}</Link> · <a href="/docs/audit#streaming-the-log">{text.docs}</a>
      </p>
      {isNowhere ? (
        <>
          <EmptyState title={text.none}>{text.noneHint}</EmptyState>
          <Settings source={source} />
        </>
      ) : (
        <QueryView query={query}>
          {(stream) => (stream ? <Shown stream={stream} source={source} /> : null)}
        </QueryView>
      )}
    </Page>
  );
}

function Shown({ stream, source }: { stream: Stream; source: StreamSource }) {
  return (
    <>
      <Standing stream={stream} />
      <Facts facts={factsOf(stream)} />
      <Section title={text.settings}>
        <Settings key={stream.updated_at} stream={stream} source={source} />
      </Section>
    </>
  );
}

function Standing({ stream }: { stream: Stream }) {
  const { status, disabled_reason: reason, last_error: error } = stream;
  if (status === "paused")
    return (
      <Notice tone="warn" title={text.pausedTitle}>
        {reason === "stopped" ? text.stoppedHint : text.pausedHint}
      </Notice>
    );
  if (status !== "failing") return null;
  return (
    <Notice tone="bad" title={text.failingTitle}>
      {error} {text.failingHint}
    </Notice>
  );
}

function factsOf(stream: Stream) {
  const { last_sent_seq: last, last_sent_at: at, failing_since: since, next_attempt_at: next } = stream;
  const waiting = formatCount(stream.lag);
  return [
    { name: text.status, value: <Badge tone={tones[stream.status]}>{text.statuses[stream.status]}</Badge> },
    { name: text.target, value: targetOf(stream) },
    {
      name: text.lastSent,
      value:
        at === null ? (
          text.nothingSent
        ) : (
          <>
            {formatCount(last)}, <Time at={at} />
          </>
        ),
    },
    {
      name: text.waiting,
      value: stream.lag === 0 ? waiting : text.waitingSince(waiting, formatCount(stream.lag_seconds)),
    },
    ...(since === null ? [] : [{ name: text.failingSince, value: <Time at={since} /> }]),
    ...(next === null || stream.status !== "failing"
      ? []
      : [{ name: text.nextAttempt, value: <Time at={next} /> }]),
    ...(stream.previous_token_until === null
      ? []
      : [{ name: text.oldToken, value: <Time at={stream.previous_token_until} /> }]),
  ];
}

function targetOf({ url, bucket, syslog }: Stream): string {
  if (bucket) return text.bucketAt(bucket.name, bucket.endpoint);
  return syslog ? text.syslogAt(syslog.host, syslog.port) : (url ?? "");
}

function Settings({ stream, source }: { stream?: Stream; source: StreamSource }) {
  const save = useChange((values: FormValues) => source.set(streamOf(values)), {
    said: stream ? text.saved : text.started,
  });
  return (
    <Form submit={stream ? text.save : text.start} state={save} onSubmit={save.mutate}>
      <StreamFields stream={stream} problems={fieldProblems(save.error)} />
    </Form>
  );
}
