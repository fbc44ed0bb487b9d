package samples

import (
	"encoding/binary"
	"math"
)

// wave is a bell of a quarter of a second: mono, eight bits.
func wave() []byte {
	const rate = 8000
	sound := make([]byte, rate/4)
	for i := range sound {
		fades := 1 - float64(i)/float64(len(sound))
		sound[i] = byte(128 + 90*fades*math.Sin(2*math.Pi*440*float64(i)/rate))
	}
	le := binary.LittleEndian
	b := le.AppendUint32([]byte("RIFF"), uint32(36+len(sound)))
	b = append(b, "WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00"...)
	b = le.AppendUint32(b, rate)
	b = le.AppendUint32(b, rate)
	b = append(b, "\x01\x00\x08\x00data"...)
	return append(le.AppendUint32(b, uint32(len(sound))), sound...)
}

// wasm is a module with one function, which adds two numbers.
func wasm() []byte {
	return []byte("\x00asm\x01\x00\x00\x00" +
		"\x01\x07\x01\x60\x02\x7f\x7f\x01\x7f" + // a type: two numbers give one
		"\x03\x02\x01\x00" + // a function of that type
		"\x07\x07\x01\x03sum\x00\x00" + // exported
		"\x0a\x09\x01\x07\x00\x20\x00\x20\x01\x6a\x0b") // adds
}

// model is a triangle in a binary glTF file.
func model() []byte {
	le := binary.LittleEndian
	var data []byte
	for _, corner := range []float32{0, 0, 0, 1, 0, 0, 0, 1, 0} {
		data = le.AppendUint32(data, math.Float32bits(corner))
	}
	scene := `{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,"name":"roof"}],` +
		`"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],` +
		`"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}],` +
		`"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36}]}`
	for len(scene)%4 != 0 {
		scene += " "
	}
	b := le.AppendUint32([]byte("glTF"), 2)
	b = le.AppendUint32(b, uint32(12+8+len(scene)+8+len(data)))
	b = append(le.AppendUint32(b, uint32(len(scene))), "JSON"...)
	b = append(b, scene...)
	b = append(le.AppendUint32(b, uint32(len(data))), "BIN\x00"...)
	return append(b, data...)
}
