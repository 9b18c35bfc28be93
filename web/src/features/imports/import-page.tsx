/** One import: how far it is, what has come, and what was left out. */
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { pollUnlessRefused } from "../../api/polling.ts";
import { text } from "../../text/imports.ts";
import { Facts } from "../../ui/facts.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { formatCount } from "../../ui/size.ts";
import { Time } from "../../ui/time.tsx";
import { ImportActions } from "./import-actions.tsx";
import { ImportPeople } from "./import-people.tsx";
import { ImportReport } from "./import-report.tsx";
import { ImportState } from "./import-state.tsx";

type Import = Schemas["Import"];

const lookEveryMs = 1_000;

export function ImportPage() {
  const { id = "" } = useParams();
  const query = useQuery({
    queryKey: ["import", id],
    queryFn: async ({ signal }) => {
      const { data } = await api.GET("/imports/{id}", { params: { path: { id } }, signal });
      if (!data) throw new Error("the server named no import");
      return data;
    },
    refetchInterval: ({ state }) =>
      pollUnlessRefused(state.error, state.data?.finished_at === null ? lookEveryMs : false),
  });
  return <QueryView query={query}>{(shown) => <Shown shown={shown} />}</QueryView>;
}

function Shown({ shown }: { shown: Import }) {
  const { state, error, number_offset: offset } = shown;
  return (
    <Page
      title={shown.source_repository}
      within={text.title}
      lead={text.hints[state]}
      actions={<ImportActions shown={shown} />}
    >
      {error === null ? null : (
        <Notice tone="bad" title={text.error}>
          {error}
        </Notice>
      )}
      <Facts
        facts={[
          { name: text.state, value: <ImportState state={state} /> },
          {
            name: text.source,
            value: text.sourceOf(text.sources[shown.source], shown.api_url, shown.from_archive),
          },
          { name: text.to, value: <Link to={`/${shown.repository}`}>{shown.repository}</Link> },
          { name: text.begun, value: <Time at={shown.created_at} /> },
          ...(shown.resumes_at === null
            ? []
            : [{ name: text.goesOn, value: <Time at={shown.resumes_at} /> }]),
          ...(shown.finished_at === null
            ? []
            : [{ name: text.ended, value: <Time at={shown.finished_at} /> }]),
          ...(offset === 0 ? [] : [{ name: text.numbers, value: text.numbersOf(offset) }]),
        ]}
      />
      <Section title={text.progress}>
        <Facts
          facts={shown.include.map((kind) => ({
            name: text.kinds[kind],
            value: formatCount(shown.progress[kind]),
          }))}
        />
      </Section>
      <ImportPeople id={shown.id} version={state} />
      <ImportReport id={shown.id} version={`${shown.left_out} ${state}`} />
    </Page>
  );
}
