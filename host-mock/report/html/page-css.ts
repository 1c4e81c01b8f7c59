import { drawingCss, themeCss } from "./theme.ts";

const base = `*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0 auto;padding:16px 24px 40px;max-width:1440px;background:var(--bg);color:var(--fg);font:15px/1.45 system-ui,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
h1{font-size:22px;margin:0;overflow-wrap:anywhere}
h2{font-size:16px;margin:28px 0 8px}
p{margin:6px 0}
.dim,.about{color:var(--dim)}
.about{font-size:14px}
.ok{color:var(--good);font-weight:600}
.bad,tr.bad td{color:var(--bad)}
.bad{font-weight:600}
.failures{margin:12px 0;padding:8px 12px;border:2px solid var(--bad);border-left-width:8px;list-style:none}
.failures li{margin:4px 0;overflow-wrap:anywhere}
.failures b{color:var(--bad)}
button{font:inherit;color:var(--fg);background:var(--lane);border:1px solid var(--line);border-radius:6px;min-height:34px;min-width:38px;padding:3px 10px;cursor:pointer}
button:hover{border-color:var(--dim)}
button:disabled{opacity:.45;cursor:default}
button:focus-visible,input:focus-visible,#stage:focus-visible{outline:2px solid var(--link);outline-offset:2px}
input{font:inherit;color:var(--fg);background:var(--bg);border:1px solid var(--line);border-radius:6px;min-height:34px;padding:3px 8px}
pre,code{font:13px/1.4 ui-monospace,Consolas,"DejaVu Sans Mono",monospace}
pre{background:var(--lane);padding:8px 10px;border-radius:6px;overflow-x:auto;margin:6px 0}
.table{overflow-x:auto}
table{border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums}
th{text-align:left;color:var(--dim);font-weight:600;white-space:nowrap}
th,td{padding:3px 18px 3px 0;border-bottom:1px solid var(--line);vertical-align:top}
td{overflow-wrap:break-word}
td:not(:last-child){white-space:nowrap}.wraps td:not(:last-child){white-space:normal}
.patterns{position:absolute}
.figure{margin:8px 0;overflow-x:auto}
.figure svg{display:block;width:100%;min-width:640px;height:auto}
.notes{margin:6px 0;padding-left:18px;color:var(--dim);font-size:14px}
@media (max-width:600px){body{padding:10px 12px 32px}h1{font-size:19px}th,td{padding-right:12px}table{font-size:13px}td:last-child{min-width:150px}
.stack thead{display:none}.stack tr{display:flex;flex-wrap:wrap;border-bottom:1px solid var(--line)}.stack td{border:0}.stack td:last-child{flex-basis:100%;padding-top:0}.stack td:empty{display:none}}
@page{size:A4;margin:14mm}
@media print{body{padding:0;max-width:none;font-size:11px}h1{font-size:18px}h2{font-size:13px;break-after:avoid}table{font-size:10px}td:last-child{overflow-wrap:anywhere}.about,.dim,.notes,.legend{font-size:10px!important}
tr,.figure{break-inside:avoid}.table,.figure,pre{overflow:visible}.figure svg{min-width:0}pre{white-space:pre-wrap}.screen{display:none!important}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
`;

/** What the script draws on; the still picture stands there until it runs, and on paper. */
const app = `#app{display:none}
@media screen{.scripted #app{display:block}.scripted #overview{display:none}}
.tools{display:flex;flex-wrap:wrap;gap:6px;align-items:center;margin:8px 0}
.tools input{flex:1 1 180px;min-width:0;max-width:320px}
.tools output{min-width:64px;color:var(--dim);font-size:14px}
.tools .wrong{border-color:var(--bad);color:var(--bad);font-weight:600}
#stage{position:relative;border:1px solid var(--line);border-radius:6px;overflow:hidden;background:var(--bg)}
#scroller{overflow-x:hidden;overflow-y:auto;max-height:72vh;touch-action:pan-y}
#canvas{display:block;position:sticky;top:0;cursor:crosshair;touch-action:pan-y}
#tip{position:absolute;pointer-events:none;max-width:min(420px,80%);padding:5px 8px;border:1px solid var(--dim);border-radius:6px;background:var(--bg);color:var(--fg);font-size:13px;overflow-wrap:anywhere;box-shadow:0 2px 8px #0003}
#details{min-height:66px;padding:6px 0;font-size:14px;overflow-wrap:anywhere}
#details ul{margin:4px 0;padding-left:18px;columns:260px;font-size:13px}
.legend{display:flex;flex-wrap:wrap;gap:4px 18px;margin:4px 0;padding:0;list-style:none;font-size:13px;color:var(--dim)}
.legend svg{width:26px;height:16px;vertical-align:-3px;margin-right:5px}
.keys{border:1px solid var(--line);border-radius:6px;padding:6px 12px;font-size:14px;margin:6px 0}
.keys dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 14px;margin:4px 0}
.keys dt{font:13px ui-monospace,Consolas,"DejaVu Sans Mono",monospace}.keys dd{margin:0}
.legend .tickSign{stroke:var(--dim);fill:none}.legend .readSign{stroke:var(--link);fill:none}.legend .writeSign{fill:var(--link)}
[hidden]{display:none!important}
`;

const pageCss = themeCss(":root") + base + drawingCss;

const exploration = `.scrolls{overflow-x:auto;margin:8px 0}.scrolls svg{display:block;max-width:none;height:auto}
.bars{max-width:640px}.figure .bars{min-width:0}
.arrow{stroke:var(--fg);stroke-width:1.5;fill:none}.arrow.read{stroke-dasharray:5 3}.arrow.wrong{stroke:var(--bad)}
.ground{fill:var(--bg)}svg .step{font-size:11px}
@media print{.scrolls{overflow:visible}.scrolls svg{max-width:100%}}
`;

export const explorationCss = pageCss + exploration;
export const timelineCss = pageCss + app;
