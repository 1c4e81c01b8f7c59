// Runs one module in the emulator of the Go SDK: `rival ticks|requests FILE COUNT WARMUP` prints nanoseconds for each.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"strconv"
	"time"

	"github.com/tetratelabs/proxy-wasm-go-sdk/proxywasm/proxytest"
	"github.com/tetratelabs/proxy-wasm-go-sdk/proxywasm/types"
)

func main() {
	log.SetOutput(io.Discard)
	kind := os.Args[1]
	wasm, err := os.ReadFile(os.Args[2])
	must(err)
	count, err := strconv.Atoi(os.Args[3])
	must(err)
	warmUp, err := strconv.Atoi(os.Args[4])
	must(err)
	vm, err := proxytest.NewWasmVMContext(wasm)
	must(err)
	host, reset := proxytest.NewHostEmulator(proxytest.NewEmulatorOption().WithVMContext(vm))
	defer reset()
	if host.StartVM() != types.OnVMStartStatusOK || host.StartPlugin() != types.OnPluginStartStatusOK {
		log.SetOutput(os.Stderr)
		log.Fatal("the plugin did not start")
	}
	run := func() {
		if kind == "ticks" {
			host.Tick()
		} else {
			request(host)
		}
	}
	for i := 0; i < warmUp; i++ {
		run()
	}
	start := time.Now()
	for i := 0; i < count; i++ {
		run()
	}
	fmt.Println(time.Since(start).Nanoseconds() / int64(count))
}

func request(host proxytest.HostEmulator) {
	id := host.InitializeHttpContext()
	host.CallOnRequestHeaders(id, [][2]string{
		{":authority", "localhost"}, {":path", "/shop"}, {":method", "GET"}, {":scheme", "http"}, {"accept", "*/*"},
	}, true)
	host.CallOnResponseHeaders(id, [][2]string{{":status", "200"}, {"content-type", "text/plain"}}, true)
	headers := host.GetCurrentResponseHeaders(id)
	if headers[len(headers)-1][0] != "x-bench" {
		panic("the plugin did not add its header")
	}
	host.CompleteHttpContext(id)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
