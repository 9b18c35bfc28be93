/** The picture of a user or an organization. Beside its name it says nothing, so it is hidden from screen readers. */
export function Avatar({ src, size = 20 }: { src: string; size?: number }) {
  return (
    <img
      src={new URL(src, window.location.origin).pathname}
      width={size}
      height={size}
      alt=""
      style={{ borderRadius: "50%", flex: "none", verticalAlign: "text-bottom" }}
    />
  );
}
