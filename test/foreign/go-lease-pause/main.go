// What the simulation of leases and pauses is compared with: the draws of Go's math/rand, and the counts of the
// simulation written in Go. Prints JSON.
//
//	lease-pause words SEED COUNT       the first 64-bit numbers, in hexadecimal
//	lease-pause doubles SEED COUNT     the first numbers in [0, 1)
//	lease-pause counts SEED TRIALS     of leases of 3, 5 and 10 s: [elections, splits, P50, P99]
package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"slices"
	"strconv"
)

func main() {
	seed, seedErr := strconv.ParseInt(os.Args[2], 10, 64)
	count, countErr := strconv.Atoi(os.Args[3])
	if seedErr != nil || countErr != nil {
		fmt.Fprintln(os.Stderr, "seed and count are whole numbers")
		os.Exit(2)
	}
	var answer any
	switch os.Args[1] {
	case "words":
		answer = words(rand.New(rand.NewSource(seed)), count)
	case "doubles":
		answer = doubles(rand.New(rand.NewSource(seed)), count)
	case "counts":
		rows := [][4]float64{}
		for _, ttl := range []float64{3, 5, 10} {
			rows = append(rows, counts(rand.New(rand.NewSource(seed)), ttl, count))
		}
		answer = rows
	}
	if err := json.NewEncoder(os.Stdout).Encode(answer); err != nil {
		panic(err)
	}
}

func words(random *rand.Rand, count int) []string {
	drawn := make([]string, count)
	for i := range drawn {
		drawn[i] = fmt.Sprintf("%016x", random.Uint64())
	}
	return drawn
}

func doubles(random *rand.Rand, count int) []float64 {
	drawn := make([]float64, count)
	for i := range drawn {
		drawn[i] = random.Float64()
	}
	return drawn
}

func counts(random *rand.Rand, ttl float64, trials int) [4]float64 {
	splits := 0
	latencies := []float64{}
	for range trials {
		start := random.Float64() * 10
		isShort := random.Float64() < 0.99
		pause := random.Float64()
		if isShort {
			pause *= 0.2
		} else {
			pause = 1 + pause*29
		}
		if pause <= ttl {
			continue
		}
		latency := ttl + random.Float64()*0.2
		latency += random.Float64() * 0.1
		latencies = append(latencies, latency)
		if start+pause+0.1 > start+latency+0.5 {
			splits++
		}
	}
	slices.Sort(latencies)
	n := len(latencies)
	return [4]float64{float64(n), float64(splits), latencies[n/2], latencies[n*99/100]}
}
