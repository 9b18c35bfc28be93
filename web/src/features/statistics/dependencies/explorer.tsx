/** The graph with what chooses in it: filters, search, what was clicked; and all that it shows as a table. */
import { text } from "../../../text/dependencies.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import styles from "./dependencies.module.css";
import { FilterFields } from "./filter-fields.tsx";
import { Graph } from "./graph.tsx";
import { PackageTable } from "./package-table.tsx";
import { reachedFrom } from "./packages.ts";
import { SearchField } from "./search-field.tsx";
import { Summary, ManifestDetails, PackageDetails, PackageList } from "./side-panel.tsx";
import type { Filters } from "./tree.ts";
import type { Dependencies } from "./use-dependencies.ts";
import { useExplorer } from "./use-explorer.ts";
import type { FilterName } from "./use-filters.ts";

export interface ExplorerProps {
  graph: Dependencies;
  filters: Filters;
  choose: (name: FilterName, value: string) => void;
  isFetchingRest: boolean;
}

export function Explorer({ graph, filters, choose, isFetchingRest }: ExplorerProps) {
  const explorer = useExplorer(graph, filters, () => choose("show", "all"));
  const { graphView, revealRequest, words, setWords, found, shown, goTo, goToNext } = explorer;
  return (
    <>
      <div className={styles.filters}>
        <SearchField words={words} onSearch={setWords} onNext={goToNext} />
        <FilterFields {...{ graph, filters, choose }} />
      </div>
      {isFetchingRest && filters.all ? <p role="status">{text.fetchingRest}</p> : null}
      {shown.length === 0 ? (
        <EmptyState title={text.filteredTitle}>{text.filtered}</EmptyState>
      ) : (
        <div className={styles.explorer}>
          <Graph {...{ graphView, revealRequest }} onChoose={explorer.choose} />
          <div className={styles.side}>
            <Side explorer={explorer} isWhole={graph.isWhole} />
          </div>
        </div>
      )}
      <PackageTable packages={found ?? shown} onGoTo={goTo} />
    </>
  );
}

function Side({ explorer, isWhole }: { explorer: ReturnType<typeof useExplorer>; isWhole: boolean }) {
  const { chosen, choose, found, goTo, reachable } = explorer;
  const onClose = () => choose(null);
  return (
    <>
      <p role="status" className={styles.status}>
        {found ? text.found(found.length) : ""}
        {found && !isWhole ? ` ${text.onlyDirectSearched}` : ""}
      </p>
      {chosen?.package ? (
        <PackageDetails
          {...{ chosen: chosen.package, onGoTo: goTo, onClose }}
          brought={isWhole && chosen.package.direct ? reachedFrom([chosen.package]).size - 1 : null}
        />
      ) : chosen?.manifest ? (
        <ManifestDetails item={chosen} onClose={onClose} />
      ) : found ? null : (
        <Summary packages={reachable} />
      )}
      {found ? <PackageList packages={found} onGoTo={goTo} /> : null}
    </>
  );
}
