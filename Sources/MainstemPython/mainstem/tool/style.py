# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The style of a diagram's page, light and dark."""

STYLE = """\
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --ink: #1b2430; --faint: #5b6777; --line: #d9dee6;
  --life: #c3cbd6; --work: #dfe5ee; --wire: #6b7888;
  --request: #1d5fbf; --request-fill: #e8f1fd; --response: #17734a; --response-fill: #e5f5ec;
  --notice: #8a5a00; --notice-fill: #fdf3dc; --value: #0b6470; --value-fill: #e0f3f5;
  --command: #952467; --command-fill: #fbe8f3; --bad: #c0272d; --bar: #4b7fc4; --focus: #7a3cc8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12161c; --card: #1a2029; --ink: #e6ebf2; --faint: #9aa7b8; --line: #2d3644;
    --life: #3c4757; --work: #2b3544; --wire: #8c9aad;
    --request: #8bbcff; --request-fill: #16294a; --response: #7fd8a8; --response-fill: #123324;
    --notice: #f0c56a; --notice-fill: #3a2c0c; --value: #72d4df; --value-fill: #0f3136;
    --command: #f09ccb; --command-fill: #3f1a30; --bad: #ff8a85; --bar: #6ea4ec; --focus: #c9a2ff;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main { max-width: 1440px; margin: 0 auto; padding: 28px 20px 60px; }
h1 { font-size: 26px; line-height: 1.2; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 18px; margin: 0 0 4px; }
p { margin: 0 0 12px; color: var(--faint); max-width: 76ch; }
header p { max-width: none; }
section { margin-top: 28px; }
.bad { color: var(--bad); }
.faint { color: var(--faint); }
.frame { background: var(--card); border: 1px solid var(--line); border-radius: 12px;
  padding: 14px; overflow-x: auto; }
.frame svg { display: block; margin: 0 auto; }
.key { display: flex; flex-wrap: wrap; gap: 6px 22px; list-style: none; margin: 0 0 12px;
  padding: 0; font-size: 14px; color: var(--faint); }
.key b { display: inline-block; width: 22px; height: 22px; margin-right: 6px; border-radius: 6px;
  border: 1.5px solid; text-align: center; line-height: 19px; vertical-align: 1px; }
.request b { color: var(--request); background: var(--request-fill); }
.response b { color: var(--response); background: var(--response-fill); }
.notice b { color: var(--notice); background: var(--notice-fill); }
.value b { color: var(--value); background: var(--value-fill); }
.command b { color: var(--command); background: var(--command-fill); }
.failing b { color: var(--bad); border-width: 2.5px; }
svg text { fill: var(--ink); font-size: 13px; text-anchor: middle; }
.life { stroke: var(--life); stroke-width: 1.5; fill: none; }
.work { fill: var(--work); stroke: var(--life); }
.part rect { fill: var(--ink); }
.part text { fill: var(--card); font-weight: 600; font-size: 13px; }
.wire { stroke: var(--wire); stroke-width: 2; fill: none; }
.wire.thin { stroke-width: 1.2; }
.response .wire { stroke-dasharray: 6 4; }
marker path { fill: var(--wire); }
.from { fill: var(--card); stroke: var(--wire); stroke-width: 1.5; }
.box { stroke-width: 1.5; }
.request .box { fill: var(--request-fill); stroke: var(--request); }
.response .box { fill: var(--response-fill); stroke: var(--response); }
.notice .box { fill: var(--notice-fill); stroke: var(--notice); }
.value .box { fill: var(--value-fill); stroke: var(--value); }
.command .box { fill: var(--command-fill); stroke: var(--command); }
.failing .box { stroke: var(--bad); stroke-width: 2.5; }
.name { font-weight: 600; }
.sign { font-weight: 700; font-size: 14px; }
.request .sign { fill: var(--request); }
.response .sign { fill: var(--response); }
.notice .sign { fill: var(--notice); }
.value .sign { fill: var(--value); }
.command .sign { fill: var(--command); }
a.place { outline: none; }
svg .about, svg .often, svg .label { font-size: 11px; }
.place .label, .place .about { text-anchor: start; }
.place .name { text-anchor: start; }
.place .often { text-anchor: end; font-weight: 600; }
.place .about { fill: var(--faint); }
.place .bad { fill: var(--bad); }
.app .box { fill: var(--card); stroke: var(--ink); }
.screen .box { fill: var(--request-fill); stroke: var(--request); }
.screen .sign { fill: var(--request); }
.dialog .box { fill: var(--notice-fill); stroke: var(--notice); }
.dialog .sign { fill: var(--notice); }
.present .box, .overlay .box { fill: var(--command-fill); stroke: var(--command); }
.present .sign, .overlay .sign { fill: var(--command); }
.embed .box { fill: var(--value-fill); stroke: var(--value); }
.embed .sign { fill: var(--value); }
.group .box, .flow .box { fill: var(--response-fill); stroke: var(--response); }
.group .sign, .flow .sign { fill: var(--response); }
.screen b { color: var(--request); background: var(--request-fill); }
.dialog b { color: var(--notice); background: var(--notice-fill); }
.present b, .overlay b { color: var(--command); background: var(--command-fill); }
.embed b { color: var(--value); background: var(--value-fill); }
.group b, .flow b { color: var(--response); background: var(--response-fill); }
.wire.sent { stroke-dasharray: 6 4; }
.done { fill: var(--response); }
.gone { fill: var(--life); }
.dialog .gone, .present .gone { fill: var(--bad); }
a.place:hover .box, a.place:focus-visible .box { stroke: var(--focus); stroke-width: 3; }
svg .next { fill: var(--faint); font-size: 11px; text-anchor: start; }
svg .next[text-anchor=end] { text-anchor: end; }
svg .facts { fill: var(--faint); font-size: 11px; }
svg .facts .bad { fill: var(--bad); font-weight: 600; }
a.kind { outline: none; }
a.kind:hover .wire, a.kind:focus-visible .wire { stroke: var(--focus); stroke-width: 3; }
a.kind:hover .box, a.kind:focus-visible .box { stroke: var(--focus); stroke-width: 3; }
svg:has(a.kind:hover) a.kind:not(:hover) { opacity: .4; }
.frame:focus-visible, a:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
svg a:focus-visible { outline: none; }
svg .label { text-anchor: end; }
svg .place .label { text-anchor: start; }
svg .tick { fill: var(--faint); font-size: 11px; }
.grid { stroke: var(--line); }
.bar { fill: var(--bar); }
.bar.bad { fill: var(--bad); }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th, td { text-align: left; padding: 6px 10px; border-bottom: 1px solid var(--line);
  vertical-align: top; overflow-wrap: break-word; }
thead th { color: var(--faint); font-weight: 600; }
tbody th { font-weight: 600; min-width: 17em; }
tbody th b { display: inline-block; width: 20px; height: 20px; margin-right: 6px;
  border-radius: 5px; text-align: center; line-height: 20px; }
tbody th small { display: block; margin-left: 26px; font-weight: 400; }
tbody tr:last-child > * { border-bottom: 0; }
tr:target { background: var(--notice-fill); }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
@media print { body { background: none; } .frame { border: 0; padding: 0; } }
"""
