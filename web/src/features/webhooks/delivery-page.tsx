/** One delivery: what was sent, and what each attempt was answered. */
import { Link, useParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api } from "../../api/client.ts";
import { pollUnlessRefused } from "../../api/polling.ts";
import { text } from "../../text/webhooks.ts";
import { Facts } from "../../ui/facts.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Time } from "../../ui/time.tsx";
import { EventName } from "./deliveries.tsx";
import { Redeliver } from "./redeliver.tsx";
import { DeliveryStatus } from "./states.tsx";
import { useHookOwner } from "./use-hook-owner.ts";
import styles from "./webhooks.module.css";

type Delivery = Schemas["WebhookDelivery"];
type Attempt = Schemas["WebhookDeliveryAttempt"];

const lookEveryMs = 2_000;

export function DeliveryPage() {
  const { id = "", delivery = "" } = useParams();
  const { at, path } = useHookOwner();
  const query = $api.useQuery(
    "get",
    at("/{id}/deliveries/{delivery}"),
    { params: { path: { ...path, id, delivery } } },
    { refetchInterval: ({ state }) => pollUnlessRefused(state.error, lookEveryMs) },
  );
  return <QueryView query={query}>{(found) => <ShownDelivery hookId={id} delivery={found} />}</QueryView>;
}

function ShownDelivery({ hookId, delivery }: { hookId: string; delivery: Delivery }) {
  const { name, home, isArchived } = useHookOwner();
  return (
    <Page
      title={text.delivery(delivery.number)}
      within={name}
      lead={<Link to={`${home}/${hookId}`}>{text.deliveries}</Link>}
      actions={isArchived ? null : <Redeliver hookId={hookId} delivery={delivery} />}
    >
      <Facts
        facts={[
          { name: text.event, value: <EventName delivery={delivery} /> },
          { name: text.status, value: <DeliveryStatus status={delivery.status} /> },
          { name: text.created, value: <Time at={delivery.created_at} /> },
          {
            name: text.nextAttempt,
            value: delivery.next_attempt_at === null ? "–" : <Time at={delivery.next_attempt_at} />,
          },
          { name: text.id, value: <code>{delivery.id}</code> },
        ]}
      />
      <Section title={text.request}>
        {delivery.request_headers === null ? (
          <p>{text.noAttempts}</p>
        ) : (
          <Block label={text.headers} value={linesOf(delivery.request_headers)} />
        )}
        <Block label={text.body} value={indented(delivery.request_body)} />
      </Section>
      {delivery.attempts.map((attempt) => (
        <ShownAttempt key={attempt.attempt} attempt={attempt} />
      ))}
    </Page>
  );
}

function ShownAttempt({ attempt }: { attempt: Attempt }) {
  const { response_headers: headers, response_body: body } = attempt;
  return (
    <Section title={text.attempt(attempt.attempt)} lead={attempt.error}>
      <Facts
        facts={[
          { name: text.at, value: <Time at={attempt.at} /> },
          { name: text.took, value: text.milliseconds(attempt.duration_ms) },
          { name: text.answer, value: attempt.status ?? text.noAnswer },
        ]}
      />
      {headers === null ? (
        <p>{text.noResponse}</p>
      ) : (
        <>
          <Block label={text.headers} value={linesOf(headers)} />
          {body ? <Block label={text.body} value={body} /> : <p>{text.emptyBody}</p>}
          {attempt.response_truncated ? <p>{text.cut}</p> : null}
        </>
      )}
    </Section>
  );
}

/** A region that scrolls must be reachable by keyboard. */
function Block({ label, value }: { label: string; value: string }) {
  return (
    <pre tabIndex={0} aria-label={label} className={styles.block}>
      <code>{value}</code>
    </pre>
  );
}

function linesOf(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

/** Long ones stay as they are, since nobody reads them whole. */
function indented(json: string): string {
  return json.length > 200_000 ? json : JSON.stringify(JSON.parse(json), null, 2);
}
