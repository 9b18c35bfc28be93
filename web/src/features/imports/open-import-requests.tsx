/** Tells somebody who is asked about imported texts, where they look first. Nothing while nobody asks. */
import { Link } from "react-router";
import { $api } from "../../api/client.ts";
import { text } from "../../text/import-people.ts";
import { Notice } from "../../ui/notice.tsx";

export function OpenImportRequests() {
  const { data = [] } = $api.useQuery("get", "/user/import-requests", {
    params: { query: { per_page: 100 } },
  });
  if (data.length === 0) return null;
  return (
    <Notice>
      {text.openRequests(data.length)}{" "}
      <Link to="/settings/imported-texts" data-inline>
        {text.answer}
      </Link>
    </Notice>
  );
}
