# cmake -P: stops where CMake itself is too old for the project.
cmake_minimum_required(VERSION 3.25)
