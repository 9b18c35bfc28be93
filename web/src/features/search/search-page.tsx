/** Issues and merge requests of all repositories: one's own at first, and whatever is searched for. The query stands in the address. */
import { maxQueryChars } from "@forgeline/client/generated/choices.ts";
import { Link, useSearchParams } from "react-router";
import { useSession } from "../../api/session.ts";
import { text } from "../../text/search.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TextField } from "../../ui/field.tsx";
import { Page } from "../../ui/page.tsx";
import { Pager, usePageNumber } from "../../ui/pager.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { formatCount } from "../../ui/size.ts";
import { SavedFilters } from "../saved-filters/saved-filters.tsx";
import { FoundList } from "./found-list.tsx";
import styles from "./search-page.module.css";
import { queries, type View } from "./views.ts";
import { foundPerPage, useSearch, type Searched } from "./use-search.ts";

export function IssueSearchPage() {
  return <SearchPage what="issues" />;
}

export function MergeRequestSearchPage() {
  return <SearchPage what="merge-requests" />;
}

const views: Readonly<Record<Searched, readonly View[]>> = {
  issues: ["created", "assigned", "mentioned"],
  "merge-requests": ["created", "assigned", "waiting", "mentioned"],
};
const maxReachable = 1_000;

function SearchPage({ what }: { what: Searched }) {
  const [query, setQuery] = useSearchParams();
  const isSignedIn = useSession() !== null;
  const q = query.get("q") ?? (isSignedIn ? queries.created : "is:open");
  const found = useSearch(what, q, usePageNumber());
  return (
    <Page title={what === "issues" ? text.issues : text.mergeRequests}>
      {isSignedIn ? <Views what={what} q={q} /> : null}
      <div className={styles.search}>
        <SearchForm key={q} q={q} />
        {isSignedIn ? (
          <SavedFilters
            kind={what === "issues" ? "issue" : "merge_request"}
            query={q}
            onChoose={(chosen) => setQuery({ q: chosen })}
          />
        ) : null}
      </div>
      <QueryView query={found} lines={8}>
        {({ items, total_count: total }) =>
          items.length === 0 ? (
            <EmptyState title={text.none}>{text.noneHint}</EmptyState>
          ) : (
            <>
              <p className={styles.count}>
                {text.found(formatCount(total))} {total > maxReachable ? text.onlyFirst : null}
              </p>
              <FoundList items={items} label={text.list} />
              <Pager total={Math.min(total, maxReachable)} perPage={foundPerPage} label={text.pages} />
            </>
          )
        }
      </QueryView>
    </Page>
  );
}

function Views({ what, q }: { what: Searched; q: string }) {
  return (
    <nav aria-label={text.views} className={styles.views}>
      {views[what].map((view) => (
        <Link
          key={view}
          to={`?${new URLSearchParams({ q: queries[view] }).toString()}`}
          aria-current={q === queries[view] ? "true" : undefined}
        >
          {text.view[view]}
        </Link>
      ))}
    </nav>
  );
}

function SearchForm({ q }: { q: string }) {
  const [, setQuery] = useSearchParams();
  const send = (form: HTMLFormElement) => {
    const typed = new FormData(form).get("q");
    setQuery({ q: typeof typed === "string" ? typed.trim() : "" });
  };
  return (
    <form
      role="search"
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        send(event.currentTarget);
      }}
    >
      <TextField
        name="q"
        type="search"
        label={text.field}
        hint={
          <>
            {text.hint}{" "}
            <a href="/docs/search" data-inline>
              {text.help}
            </a>
          </>
        }
        maxLength={maxQueryChars}
        autoCapitalize="off"
        spellCheck={false}
        defaultValue={q}
      />
      <Button type="submit">{text.search}</Button>
    </form>
  );
}
