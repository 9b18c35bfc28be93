/** What everybody who uses the instance is told: all announcements, or the one that the address names. */
import { useNavigate, useParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api, $api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/administration.ts";
import { Badge } from "../../ui/badge.tsx";
import { ConfirmButton, FormButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Facts } from "../../ui/facts.tsx";
import { SelectField, TextArea, TextField } from "../../ui/field.tsx";
import type { FormValues } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Time } from "../../ui/time.tsx";

type Announcement = Schemas["Announcement"];

export function AnnouncementsPage() {
  const pages = usePages(["announcements"], (query) =>
    api.GET("/admin/announcements", { params: { query } }),
  );
  return (
    <Page
      title={text.announcements}
      within={text.administration}
      lead={text.announcementsLead}
      actions={<Announce />}
    >
      <PagedTable
        pages={pages}
        caption={text.announcements}
        keyOf={({ id }) => id}
        empty={<EmptyState title={text.noAnnouncements}>{text.noAnnouncementsHint}</EmptyState>}
        columns={[
          { title: text.message, wide: true, cell: ({ message }) => <span>{message}</span> },
          { title: text.level, cell: (row) => <Level announcement={row} /> },
          { title: text.from, cell: (row) => <Time at={row.starts_at} /> },
          { title: text.until, cell: (row) => (row.ends_at ? <Time at={row.ends_at} /> : text.open) },
          { title: "", label: text.actions, cell: (row) => <TakeBack announcement={row} /> },
        ]}
      />
    </Page>
  );
}

export function AnnouncementPage() {
  const { id = "" } = useParams();
  const announcement = $api.useQuery("get", "/admin/announcements/{id}", { params: { path: { id } } });
  const navigate = useNavigate();
  return (
    <QueryView query={announcement}>
      {(found) => (
        <Page
          title={found.message}
          within={text.announcements}
          actions={<TakeBack announcement={found} onDone={() => navigate("/-/admin/announcements")} />}
        >
          <Facts
            facts={[
              { name: text.level, value: <Level announcement={found} /> },
              { name: text.from, value: <Time at={found.starts_at} /> },
              { name: text.until, value: found.ends_at ? <Time at={found.ends_at} /> : text.open },
            ]}
          />
        </Page>
      )}
    </QueryView>
  );
}

function Level({ announcement: { level } }: { announcement: Announcement }) {
  return <Badge tone={level === "warning" ? "warn" : "info"}>{text.levels[level]}</Badge>;
}

function Announce() {
  return (
    <FormButton
      label={text.announce}
      title={text.announce}
      kind="primary"
      said={text.announced}
      run={(values) => api.POST("/admin/announcements", { body: announcementOf(values) })}
    >
      {(problems) => (
        <>
          <TextArea
            name="message"
            rows={2}
            label={text.message}
            required
            maxLength={1000}
            problem={problems["message"]}
          />
          <SelectField name="level" label={text.level} defaultValue="info">
            {Object.entries(text.levels).map(([value, word]) => (
              <option key={value} value={value}>
                {word}
              </option>
            ))}
          </SelectField>
          <TextField
            name="from"
            type="datetime-local"
            label={text.from}
            hint={text.fromHint}
            problem={problems["starts_at"]}
          />
          <TextField
            name="until"
            type="datetime-local"
            label={text.until}
            hint={text.untilHint}
            problem={problems["ends_at"]}
          />
        </>
      )}
    </FormButton>
  );
}

/** Times are typed as the browser's clock has them. */
function announcementOf({ message = "", level, from = "", until = "" }: FormValues) {
  return {
    message,
    level: level === "warning" ? ("warning" as const) : ("info" as const),
    ...(from === "" ? {} : { starts_at: new Date(from).toISOString() }),
    ...(until === "" ? {} : { ends_at: new Date(until).toISOString() }),
  };
}

function TakeBack(props: { announcement: Announcement; onDone?: () => unknown }) {
  const { id, message } = props.announcement;
  return (
    <ConfirmButton
      label={text.takeBack}
      name={text.takeBackName(message)}
      title={text.takeBackTitle}
      gone={() => (props.onDone ? [id] : [])}
      onDone={props.onDone}
      run={() => api.DELETE("/admin/announcements/{id}", { params: { path: { id } } })}
    >
      <p>{message}</p>
    </ConfirmButton>
  );
}
