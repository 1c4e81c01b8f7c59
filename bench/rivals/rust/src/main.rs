//! Runs one module in the Rust host crate: `rival ticks|requests FILE COUNT WARMUP` prints nanoseconds for each.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use proxy_wasm_host::abi::v0_2_1::types::{LogLevel, MapType, Status};
use proxy_wasm_host::abi::v0_2_1::{
    Access, ContextId, Guest, Host, InMemoryStore, Invocation, LogContext, LogSink, PluginConfig,
    Started, StreamKind, StreamState, VmServices,
};
use proxy_wasm_host::{Engine, HeaderMap, HeaderMapExt, Limits, Module, VecHeaderMap};

/// Keeps the lines, as every host under measure does.
#[derive(Default)]
struct Lines(Mutex<Vec<Vec<u8>>>);

impl LogSink for Lines {
    fn log(&self, _: LogContext<'_>, _: LogLevel, message: &[u8]) {
        self.0.lock().unwrap().push(message.to_vec());
    }
}

struct Exchange {
    request: VecHeaderMap,
    response: VecHeaderMap,
}

impl StreamState for Exchange {
    fn header_map(
        &mut self,
        _: Invocation,
        _: Access,
        map: MapType,
    ) -> Result<&mut dyn HeaderMap, Status> {
        match map {
            MapType::HttpRequestHeaders => Ok(&mut self.request),
            MapType::HttpResponseHeaders => Ok(&mut self.response),
            _ => Err(Status::NotFound),
        }
    }
}

fn pairs(list: &[(&str, &str)]) -> VecHeaderMap {
    let owned = list.iter().map(|(name, value)| (name.as_bytes().to_vec(), value.as_bytes().to_vec()));
    owned.collect()
}

fn request(guest: &mut Guest, root: ContextId) {
    let exchange = Exchange {
        request: pairs(&[
            (":authority", "localhost"),
            (":path", "/shop"),
            (":method", "GET"),
            (":scheme", "http"),
            ("accept", "*/*"),
        ]),
        response: pairs(&[(":status", "200"), ("content-type", "text/plain")]),
    };
    let (answer, exchange) = guest.with(exchange, |scope| {
        let stream = scope.on_context_create(Some(root))?;
        scope.expect_stream_kind(stream, StreamKind::Http)?;
        scope.on_request_headers(stream, 5, true)?;
        scope.on_response_headers(stream, 2, true)?;
        scope.on_done(stream)?;
        scope.on_log(stream)?;
        scope.on_delete(stream)
    });
    answer.expect("the request runs");
    assert_eq!(exchange.response.get_all(b"x-bench"), [b"1".to_vec()]);
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, kind, file, count, warm_up] = &arguments[..] else {
        panic!("rival ticks|requests FILE COUNT WARMUP");
    };
    let count: u32 = count.parse().expect("a count");
    let warm_up: u32 = warm_up.parse().expect("a count");
    let wasm = std::fs::read(file).expect("the module");
    let engine = Engine::new().expect("an engine");
    let module = Module::new(&engine, &wasm).expect("a module");
    let host = Host::new(&engine).expect("a host");
    let services = VmServices::new(Arc::new(Lines::default()))
        .with_shared(Arc::new(InMemoryStore::new()));
    let mut guest = Guest::new(&host, &module, services, &Limits::default()).expect("a guest");
    let Started::Serving(root) = guest.start(PluginConfig::new()).expect("a start") else {
        panic!("the plugin refused its start");
    };
    let mut run = || match kind.as_str() {
        "ticks" => guest.enter_root().on_tick(root).expect("a tick"),
        _ => request(&mut guest, root),
    };
    for _ in 0..warm_up {
        run();
    }
    let start = Instant::now();
    for _ in 0..count {
        run();
    }
    println!("{}", start.elapsed().as_nanos() / u128::from(count));
}
