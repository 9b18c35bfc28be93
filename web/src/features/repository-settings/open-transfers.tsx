/** Shows users the repositories that they are offered, where they look first. Nothing while there is no offer. */
import { Link } from "react-router";
import { $api } from "../../api/client.ts";
import { text } from "../../text/repository-settings.ts";
import { Notice } from "../../ui/notice.tsx";

export function OpenTransfers() {
  const { data = [] } = $api.useQuery("get", "/user/transfers", { params: { query: { per_page: 100 } } });
  const offers = data.filter(({ may_accept: mayAccept }) => mayAccept);
  return offers.map(({ repository, new_owner: owner }) => (
    <Notice key={repository.id}>
      {text.isOffered(repository.full_name, owner.name)}{" "}
      <Link to={`/${repository.full_name}/transfer`} data-inline>
        {text.answerOffer}
      </Link>
    </Notice>
  ));
}
