/** Leads through the pages of a list; the page stands in the address, as `page`. Nothing where there is one page. */
import { ChevronLeft, ChevronRight } from "lucide-react";
import { Link, useSearchParams } from "react-router";
import { text } from "../text/general.ts";
import styles from "./pager.module.css";
import { formatCount } from "./size.ts";

/** From 1. */
export function usePageNumber(): number {
  const [query] = useSearchParams();
  const page = Number(query.get("page") ?? 1);
  return Number.isInteger(page) && page > 0 ? page : 1;
}

export function Pager({ total, perPage, label }: { total: number; perPage: number; label: string }) {
  const [query] = useSearchParams();
  const page = usePageNumber();
  const last = Math.max(1, Math.ceil(total / perPage));
  if (last === 1 && page === 1) return null;
  const to = (number: number) => {
    const next = new URLSearchParams(query);
    if (number === 1) next.delete("page");
    else next.set("page", String(number));
    return `?${next.toString()}`;
  };
  return (
    <nav aria-label={label} className={styles.pager}>
      {page > 1 ? (
        <Link to={to(Math.min(page - 1, last))} rel="prev">
          <ChevronLeft size={16} aria-hidden /> {text.previousPage}
        </Link>
      ) : null}
      <span>{text.pageOf(formatCount(page), formatCount(last))}</span>
      {page < last ? (
        <Link to={to(page + 1)} rel="next">
          {text.nextPage} <ChevronRight size={16} aria-hidden />
        </Link>
      ) : null}
    </nav>
  );
}
