/** The deliveries of a webhook, which can be filtered and sent once more. */
import { useState } from "react";
import { Link } from "react-router";
import { deliveryStatuses, webhookEvents } from "@forgeline/client/generated/choices.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/webhooks.ts";
import { FormButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Section } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { formatCount } from "../../ui/size.ts";
import { Time } from "../../ui/time.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { Redeliver } from "./redeliver.tsx";
import { DeliveryStatus } from "./states.tsx";
import { useHookOwner } from "./use-hook-owner.ts";
import styles from "./webhooks.module.css";

type Summary = Schemas["WebhookDeliverySummary"];

interface Filter {
  status?: Summary["status"];
  event?: Summary["event"];
}

export function Deliveries({ hook }: { hook: Schemas["Webhook"] }) {
  const { at, path, home, isArchived } = useHookOwner();
  const [filter, setFilter] = useState<Filter>({});
  const { last_delivery: last, waiting } = hook;
  // Whatever changes among the newest shows in these, which the page looks at again and again.
  const version = `${last?.id} ${last?.status} ${waiting}`;
  const pages = usePages(["deliveries", hook.id, filter, version], (query) =>
    api.GET(at("/{id}/deliveries"), {
      params: { path: { ...path, id: hook.id }, query: { ...query, ...filter } },
    }),
  );
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Section
      title={text.deliveries}
      actions={isArchived || !hook.active ? null : <RedeliverFailed id={hook.id} />}
    >
      <FilterFields filter={filter} onChange={setFilter} />
      <PagedTable
        pages={pages}
        caption={text.deliveries}
        keyOf={({ id }) => id}
        empty={
          <EmptyState title={isFiltered ? text.noneFiltered : text.noDeliveries}>
            {text.noDeliveriesHint}
          </EmptyState>
        }
        columns={[
          {
            title: text.number,
            cell: (one) => <Link to={`${home}/${hook.id}/deliveries/${one.id}`}>{one.number}</Link>,
          },
          { title: text.event, wide: true, cell: (one) => <EventName delivery={one} /> },
          { title: text.status, cell: (one) => <DeliveryStatus status={one.status} /> },
          { title: text.attempts, align: "end", cell: (one) => formatCount(one.attempts_count) },
          { title: text.answer, wide: true, cell: (one) => answerOf(one) },
          { title: text.created, cell: (one) => <Time at={one.created_at} /> },
          {
            title: "",
            label: text.actions,
            cell: (one) =>
              isArchived || !hook.active ? null : <Redeliver hookId={hook.id} delivery={one} />,
          },
        ]}
      />
    </Section>
  );
}

export function EventName({ delivery }: { delivery: Summary }) {
  return (
    <span>
      {delivery.event} {delivery.action}
      {delivery.test ? ` (${text.isTest})` : ""}
    </span>
  );
}

function answerOf({ response_status: status, error }: Summary): string {
  return status === null ? (error ?? text.noAnswer) : String(status);
}

function FilterFields({ filter, onChange }: { filter: Filter; onChange: (filter: Filter) => void }) {
  const change = (name: keyof Filter, value: string) => {
    const { [name]: _before, ...others } = filter;
    onChange(value === "" ? others : { ...others, [name]: value });
  };
  return (
    <div className={styles.filters}>
      <SelectField
        label={text.status}
        value={filter.status ?? ""}
        onChange={(event) => change("status", event.target.value)}
      >
        <option value="">{text.any}</option>
        {deliveryStatuses.map((status) => (
          <option key={status} value={status}>
            {text.statuses[status]}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={text.event}
        value={filter.event ?? ""}
        onChange={(event) => change("event", event.target.value)}
      >
        <option value="">{text.any}</option>
        {webhookEvents.map((event) => (
          <option key={event}>{event}</option>
        ))}
      </SelectField>
    </div>
  );
}

function RedeliverFailed({ id }: { id: string }) {
  const { at, path } = useHookOwner();
  return (
    <FormButton
      label={text.redeliverFailed}
      title={text.redeliverFailedTitle}
      lead={text.redeliverFailedHint}
      submit={text.send}
      run={(values) => {
        const { since = "" } = values;
        return api.POST(at("/{id}/redeliver"), {
          params: { path: { ...path, id } },
          body: since === "" ? {} : { since: new Date(since).toISOString() },
        });
      }}
      onDone={({ data }) => showToast(text.resent(data?.redelivered ?? 0))}
    >
      {(problems) => (
        <TextField
          name="since"
          type="datetime-local"
          label={text.since}
          hint={text.sinceHint}
          problem={problems["since"]}
        />
      )}
    </FormButton>
  );
}
