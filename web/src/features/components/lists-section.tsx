/** Of the components page: lists that come in pages, what is fetched, and places beside each other. */
import { text } from "../../text/components.ts";
import { PagedTable } from "../../ui/paged-table.tsx";
import { PagedView } from "../../ui/paged-view.tsx";
import { Pager } from "../../ui/pager.tsx";
import { NotFound } from "../../ui/not-found.tsx";
import { Notice, ProblemNotice } from "../../ui/notice.tsx";
import { Section } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { SideLayout } from "../../ui/side-layout.tsx";
import { SideLinks } from "../../ui/tabs.tsx";
import { showToast } from "../../ui/toasts.tsx";

const names = ["compiler", "runner"];
const pages = {
  data: names,
  error: null,
  hasMore: true,
  isFetchingMore: false,
  fetchMore: () => showToast(text.sentence),
};
const links = [
  { to: "/-/components", label: text.sidePlace },
  { to: "/", label: text.otherPlace, exact: true },
];

export function ListsSection() {
  return (
    <>
      <Section title={text.lists}>
        <PagedView pages={pages} empty={text.empty}>
          {(rows) => (
            <ul>
              {rows.map((row) => (
                <li key={row}>{row}</li>
              ))}
            </ul>
          )}
        </PagedView>
        <PagedTable
          pages={{ ...pages, hasMore: false }}
          caption={text.lists}
          columns={[{ title: text.name, cell: (row) => row, wide: true }]}
          keyOf={(row) => row}
          empty={text.empty}
        />
        <Pager total={90} perPage={30} label={text.pages} />
      </Section>
      <Section title={text.fetched}>
        <QueryView query={{ data: text.sentence, error: null }}>{(words) => <p>{words}</p>}</QueryView>
        <QueryView query={{ data: undefined, error: null }} lines={2}>
          {() => null}
        </QueryView>
        <ProblemNotice error={new Error(text.problem)} />
        <NotFound />
      </Section>
      <Section title={text.places}>
        <SideLinks label={text.sideLinks} links={links} />
        <SideLayout label={text.places} links={links}>
          <Notice>{text.sentence}</Notice>
        </SideLayout>
      </Section>
    </>
  );
}
