/** What a page of somebody else tries on an instance, as scripts that run in it. */

/** Forms, requests with cookies, elements: what it was told of all this. */
export const attack = `async (url) => {
  const told = [];
  const targets = ["/repos", "/orgs", "/user/tokens", "/user/sessions", "/repos/ada/code/branches", "/orgs/acme/teams"];
  const form = (path, enctype) => new Promise((done) => {
    const frame = document.createElement("iframe");
    frame.name = "f" + document.forms.length;
    const form = document.createElement("form");
    Object.assign(form, { method: "POST", action: url + "/api/v1" + path, enctype, target: frame.name });
    const field = document.createElement("input");
    Object.assign(field, { name: '{"name":"evil","x":"', value: '"}' });
    form.append(field);
    document.body.append(frame, form);
    frame.onload = done;
    form.submit();
  });
  for (const path of targets)
    for (const enctype of ["application/x-www-form-urlencoded", "text/plain"]) await form(path, enctype);
  const ask = (path, how) => fetch(url + path, { credentials: "include", ...how }).then(
    async (answer) => told.push(path + " " + answer.type + " " + (await answer.text()).slice(0, 80)), () => undefined);
  const body = '{"name":"evil"}';
  for (const path of targets) {
    await ask("/api/v1" + path, { method: "POST", body, headers: { "Content-Type": "application/json" } });
    await ask("/api/v1" + path, { method: "POST", body, mode: "no-cors" });
  }
  await ask("/api/v1/repos/ada/code", { method: "DELETE" });
  for (const path of ["/api/v1/user", "/api/v1/user/tokens", "/api/v1/repos/ada/code/raw/main/README.md", "/"]) {
    await ask(path, {});
    await ask(path, { mode: "no-cors" });
  }
  for (const [tag, path] of [["script", "/api/v1/user"], ["img", "/api/v1/repos/ada/code/raw/main/docs/dot.png"], ["script", "/api/v1/repos/ada/code/raw/main/src/answer.ts"]])
    await new Promise((done) => {
      const element = document.createElement(tag);
      element.onload = () => { told.push(tag + " " + path); done(); };
      element.onerror = done;
      element.src = url + path;
      document.body.append(element);
    });
  return told;
}`;

/** Resolves once each frame has come to something. */
export const frameAll = `(addresses) => Promise.all(addresses.map((address) => new Promise((done) => {
  const frame = document.createElement("iframe");
  frame.onload = done;
  frame.src = address;
  document.body.append(frame);
})))`;

/** `open` or `error`. */
export const openSocket = `(address) => new Promise((done) => {
  const socket = new WebSocket(address, ["forgeline-logs.v1", "ticket.x"]);
  socket.onopen = () => done("open");
  socket.onerror = () => done("error");
})`;
