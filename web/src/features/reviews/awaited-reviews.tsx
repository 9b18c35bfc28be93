/** Merge requests that wait for the review of whoever looks, in all repositories. Nothing while none does. */
import { Link } from "react-router";
import { $api } from "../../api/client.ts";
import { text } from "../../text/search.ts";
import { Section } from "../../ui/page.tsx";
import { FoundList } from "../search/found-list.tsx";
import { awaitedReviews } from "../search/views.ts";

/** A list of all by itself would hide the rest of the page. */
const mostShown = 10;
/** Searches are limited, and the start page is opened often. */
const staleTime = 60_000;

export function AwaitedReviews() {
  const query = { q: `${awaitedReviews} sort:created-asc`, per_page: mostShown };
  const found = $api.useQuery("get", "/search/merge-requests", { params: { query } }, { staleTime });
  const { items = [], total_count: total = 0 } = found.data ?? {};
  if (items.length === 0) return null;
  const all = new URLSearchParams({ q: awaitedReviews }).toString();
  return (
    <Section title={text.view.waiting}>
      <FoundList items={items} label={text.view.waiting} />
      {total > items.length ? (
        <Link to={`/search/merge-requests?${all}`} data-inline>
          {text.all(total)}
        </Link>
      ) : null}
    </Section>
  );
}
