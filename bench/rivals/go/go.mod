module proxy-wasm-as/bench/rivals/go

go 1.24.1

require github.com/tetratelabs/proxy-wasm-go-sdk v0.24.0

require github.com/tetratelabs/wazero v1.7.2 // indirect
