/** Tells somebody who was invited to organizations, where they look first. Nothing while there is no invitation. */
import { Link } from "react-router";
import { $api } from "../../api/client.ts";
import { text } from "../../text/organizations.ts";
import { Notice } from "../../ui/notice.tsx";

export function OpenInvitations() {
  const { data = [] } = $api.useQuery("get", "/user/invitations", { params: { query: { per_page: 100 } } });
  if (data.length === 0) return null;
  return (
    <Notice>
      {text.invitedTo(data.map(({ organization }) => organization).join(", "))}{" "}
      <Link to="/settings/invitations" data-inline>
        {text.answerInvitations}
      </Link>
    </Notice>
  );
}
